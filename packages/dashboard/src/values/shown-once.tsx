import { useBlocker } from "@tanstack/react-router";
import { Check, Copy as CopyIcon, Download } from "lucide-react";
import { useId, type ReactElement } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { controlClass } from "../ui/field.tsx";
import { Copied } from "../ui/copied.tsx";
import { useCopy } from "../ui/use-copy.ts";
import { saveFile } from "./save-file.ts";

/** A secret that the service does not show again. Leaving the page before it was stored asks first. */
export function ShownOnce({
  what,
  secret,
  fileName,
  onStored,
}: {
  /** Names the field: "API key". */
  readonly what: string;
  readonly secret: string;
  readonly fileName: string;
  readonly onStored: () => void;
}): ReactElement {
  const id = useId();
  const { isCopied, copy } = useCopy();
  // A change of the search parameters stays on the page.
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname,
    withResolver: true,
    enableBeforeUnload: true,
  });
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
      {blocker.status === "blocked" && (
        <Dialog
          title="Leave without storing it?"
          onClose={() => blocker.reset()}
          actions={
            <>
              <Button onClick={() => blocker.reset()}>Stay</Button>
              <Button variant="danger" onClick={() => blocker.proceed()}>
                Leave
              </Button>
            </>
          }
        >
          <p>It cannot be shown again. If it is not stored, a new one has to be created.</p>
        </Dialog>
      )}
    </section>
  );
}
