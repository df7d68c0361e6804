import type { JsonObject } from "@procedo/contract";
import { useEffect, useRef, useState, type ReactElement } from "react";
import { Button } from "../../ui/button.tsx";
import { TextArea } from "../../ui/field.tsx";
import { Age } from "../../values/moment.tsx";
import type { StoredDraft } from "../draft/draft-state.ts";
import { DraftChanges } from "./draft-changes.tsx";

interface ConflictViewProps {
  /** The draft from which both began. */
  readonly base: JsonObject;
  readonly mine: JsonObject;
  readonly theirs: StoredDraft;
  readonly onKeepTheirs: () => void;
  readonly onKeepMine: () => void;
}

/** Two people changed the draft. Each way is open, and undo leads back to the other draft. */
export function ConflictView({ base, mine, theirs, onKeepTheirs, onKeepMine }: ConflictViewProps): ReactElement {
  const heading = useRef<HTMLHeadingElement>(null);
  const [isText, setText] = useState(false);
  useEffect(() => heading.current?.focus(), []);
  const { by, savedAt, revision } = theirs;
  return (
    <section aria-label="Conflict" className="flex flex-col gap-4">
      <div>
        <h2 ref={heading} tabIndex={-1} className="text-section font-semibold outline-none">
          Someone else saved this draft
        </h2>
        <p className="max-w-prose text-text-2">
          {revision === 0 ? (
            "The draft was discarded while you were editing."
          ) : (
            <>
              {by ?? "Another person"} saved revision {revision}
              {savedAt !== undefined && (
                <>
                  , <Age since={savedAt} />
                </>
              )}
              .
            </>
          )}{" "}
          Your changes are not saved yet. Choose which draft to go on with. <strong>Undo</strong> then brings back the
          other one.
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button onClick={onKeepTheirs}>Keep theirs</Button>
        <Button onClick={onKeepMine}>Keep mine</Button>
        <Button aria-expanded={isText} onClick={() => setText(!isText)}>
          Open mine as JSON
        </Button>
      </div>
      {isText && (
        <TextArea label="My draft as JSON" isCode readOnly rows={16} value={JSON.stringify(mine, undefined, 2)} />
      )}
      <div className="grid gap-4 lg:grid-cols-2">
        <Side title="Their changes" before={base} after={theirs.document} />
        <Side title="Your changes" before={base} after={mine} />
      </div>
    </section>
  );
}

function Side({
  title,
  before,
  after,
}: {
  readonly title: string;
  readonly before: JsonObject;
  readonly after: JsonObject;
}): ReactElement {
  return (
    <section
      aria-label={title}
      className="flex min-w-0 flex-col gap-2 rounded-panel border border-hairline bg-surface p-4"
    >
      <h3 className="font-semibold">{title}</h3>
      <DraftChanges before={before} after={after} />
    </section>
  );
}
