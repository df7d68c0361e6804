import { useBlocker } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { useId, type ReactElement } from "react";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { controlClass } from "../ui/field.tsx";
import { Copy } from "../ui/copy.tsx";
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
      <div className="flex items-center gap-1">
        <input
          id={id}
          readOnly
          value={secret}
          onFocus={({ target }) => target.select()}
          className={`${controlClass} font-mono`}
        />
        <Copy what={what.toLowerCase()} text={secret} />
      </div>
      <div className="flex flex-wrap gap-2">
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
          <p>It cannot be shown again. Without it, create another one.</p>
        </Dialog>
      )}
    </section>
  );
}
