import { Check, Copy as CopyIcon } from "lucide-react";
import { useState, type ReactElement } from "react";
import { IconButton } from "./button.tsx";

const confirmedMs = 1_500;

/** Copies a text. `what` completes its name: "Copy run id". */
export function Copy({ what, text }: { readonly what: string; readonly text: string }): ReactElement {
  const [isCopied, setCopied] = useState(false);
  const copy = (): void => {
    void navigator.clipboard.writeText(text).then(() => {
      setCopied(true);
      setTimeout(() => setCopied(false), confirmedMs);
    });
  };
  return <IconButton icon={isCopied ? Check : CopyIcon} label={`Copy ${what}`} onClick={copy} data-print="hide" />;
}
