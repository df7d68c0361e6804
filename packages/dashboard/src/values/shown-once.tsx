import { Check, Copy as CopyIcon, Download } from "lucide-react";
import { useId, type ReactElement } from "react";
import { Button } from "../ui/button.tsx";
import { controlClass } from "../ui/field.tsx";
import { Copied } from "../ui/copied.tsx";
import { useCopy } from "../ui/use-copy.ts";
import { SecretGuard } from "./leave-guard.tsx";
import { saveFile } from "./save-file.ts";

/** A secret that the service does not show again. Leaving the page before it was stored asks first. */
export function ShownOnce({
  what,
  secret,
  fileName,
  onStored,
  isGuarded = true,
}: {
  /** Names the field: "API key". */
  readonly what: string;
  readonly secret: string;
  readonly fileName: string;
  readonly onStored: () => void;
  /** `false` where the page guards several secrets together. */
  readonly isGuarded?: boolean;
}): ReactElement {
  const id = useId();
  const { isCopied, copy } = useCopy();
  return (
    <section
      aria-label="Shown once"
      className="flex flex-col gap-3 rounded-panel border-2 border-review bg-review-bg p-4"
    >
      <p className="font-medium text-review">This is shown once. Store it before you leave this page.</p>
      <label htmlFor={id} className="font-medium">
        {what}
      </label>
      <input
        id={id}
        readOnly
        value={secret}
        autoComplete="off"
        spellCheck={false}
        onFocus={({ target }) => target.select()}
        className={`${controlClass} font-mono`}
      />
      <div className="flex flex-wrap gap-2">
        <Button icon={isCopied ? Check : CopyIcon} onClick={() => copy(secret)}>
          Copy
        </Button>
        <Copied isCopied={isCopied} />
        <Button icon={Download} onClick={() => saveFile(fileName, `${secret}\n`, "text/plain")}>
          Download
        </Button>
        <Button variant="primary" onClick={onStored}>
          I have stored it
        </Button>
      </div>
      {isGuarded && <SecretGuard />}
    </section>
  );
}
