import { useState, type ReactElement } from "react";
import type { components } from "../api/schema.d.ts";
import { Button } from "../ui/button.tsx";
import type { CodePlace } from "../ui/code-area.tsx";
import { Section } from "../ui/section.tsx";
import { ActionsTable } from "./actions-section.tsx";
import { DocumentProblems } from "./document-problems.tsx";

type Preview = components["schemas"]["ConnectionPreview"];

const shownActions = 20;

/** What the service reads in a document: its faults with their places, and the actions that it gives. */
export function DocumentLook({
  looked: { title, version, baseUrl, actionCount, actions, problems },
  isOutdated,
  onOpen,
}: {
  readonly looked: Preview;
  /** Whether the document was changed since. */
  readonly isOutdated: boolean;
  /** Shows a place of the document; left out where the document is not on the page. */
  readonly onOpen: ((place: CodePlace) => void) | undefined;
}): ReactElement {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? actions : actions.slice(0, shownActions);
  const errors = problems.filter(({ severity }) => severity === "error").length;
  return (
    <>
      <p className="font-medium wrap-anywhere">
        {title === undefined ? "The document cannot be used as it is." : `${title}, version ${version ?? "unknown"}:`}{" "}
        {countOf(actionCount, "action")}, {countOf(errors, "error")}, {countOf(problems.length - errors, "warning")}.
        {baseUrl !== undefined && ` Its server is ${baseUrl}.`}
      </p>
      {isOutdated && <p className="text-review">The document was changed since. Look at it again.</p>}
      {problems.length > 0 && <DocumentProblems problems={problems} onOpen={onOpen} />}
      {actions.length > 0 && (
        <Section title="Actions">
          <ActionsTable caption="Actions" actions={shown} />
          {shown.length < actions.length && (
            <Button className="self-start" onClick={() => setWhole(true)}>
              Show more
            </Button>
          )}
          {isWhole && actions.length < actionCount && (
            <p className="text-text-2">The first {actions.length} are shown. The others are found on its page.</p>
          )}
        </Section>
      )}
    </>
  );
}

function countOf(count: number, noun: string): string {
  return `${count.toLocaleString("en-GB")} ${noun}${count === 1 ? "" : "s"}`;
}
