import { Check, Copy as CopyIcon } from "lucide-react";
import type { ReactElement } from "react";
import { IconButton } from "./button.tsx";
import { Copied } from "./copied.tsx";
import { useCopy } from "./use-copy.ts";

interface CopyProps {
  /** Completes the name of the button: "Copy run id". */
  readonly what: string;
  /** A function for a text that is made when it is copied. */
  readonly text: string | (() => string);
}

/** Copies a text. */
export function Copy({ what, text }: CopyProps): ReactElement {
  const { isCopied, copy } = useCopy();
  return (
    <>
      <IconButton
        icon={isCopied ? Check : CopyIcon}
        label={`Copy ${what}`}
        onClick={() => copy(typeof text === "string" ? text : text())}
        data-print="hide"
      />
      <Copied isCopied={isCopied} />
    </>
  );
}
