import type { ReactElement } from "react";
import { Button } from "../../ui/button.tsx";
import { Moment } from "../../values/moment.tsx";
import type { KeptCopy } from "../draft/kept-copies.ts";
import { DraftChanges } from "./conflict-view.tsx";

/** Work of an editor that ended before it was saved, which this device kept. */
export function KeptChoice({
  copy,
  onRestore,
  onDiscard,
}: {
  readonly copy: KeptCopy;
  readonly onRestore: () => void;
  readonly onDiscard: () => void;
}): ReactElement {
  return (
    <section
      aria-label="Unsaved changes"
      className="flex flex-col gap-3 rounded-panel border border-hairline bg-surface p-4"
    >
      <h2 className="text-section font-semibold">This device kept changes that were not saved</h2>
      <p className="max-w-prose text-text-2">
        You made them until <Moment at={new Date(copy.keptAtMs).toISOString()} />, and the page ended before the service
        had them. If someone else has saved since, you are shown both.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={onRestore}>
          Restore my changes
        </Button>
        <Button onClick={onDiscard}>Discard them</Button>
      </div>
      <DraftChanges before={copy.base.document} after={copy.mine} />
    </section>
  );
}
