import type { DocumentProblem, ProcedureDocument } from "@procedo/contract";
import { CircleAlert, TriangleAlert } from "lucide-react";
import type { ReactElement, RefObject } from "react";
import { Button } from "../../ui/button.tsx";
import { isUnfinishedProblem } from "../typing/unfinished-problems.ts";
import { problemPlaceWords } from "./problem-place.ts";

/** The faults and warnings of the document. Each leads to its step and field. */
export function ProblemsPanel({
  document,
  problems,
  onOpen,
  onDiscardText,
  place,
}: {
  readonly document: ProcedureDocument | undefined;
  readonly problems: readonly DocumentProblem[];
  readonly onOpen: (problem: DocumentProblem) => void;
  /** Drops the unfinished text of a place. */
  readonly onDiscardText: (place: string) => void;
  readonly place: RefObject<HTMLElement | null>;
}): ReactElement {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  return (
    <section
      ref={place}
      tabIndex={-1}
      aria-label="Problems"
      className="flex min-w-0 flex-col gap-2 rounded-panel border border-hairline bg-surface p-4 outline-none"
    >
      <h2 className="text-section font-semibold">Problems</h2>
      <p role="status" className="text-text-2">
        {problems.length === 0
          ? "No problems. The draft can be published."
          : errors === 0
            ? "Only warnings. The draft can be published."
            : `${errors} ${errors === 1 ? "problem has" : "problems have"} to be fixed before the draft can be published.`}
      </p>
      {problems.length > 0 && (
        <ul className="flex max-h-72 flex-col divide-y divide-hairline overflow-y-auto">
          {problems.map((problem, index) => (
            <li key={index} className="flex items-start gap-2 py-1">
              <button
                type="button"
                onClick={() => onOpen(problem)}
                className="flex min-w-0 flex-1 items-start gap-2 rounded-control px-1 py-1 text-left hover:bg-sunken"
              >
                {problem.severity === "error" ? (
                  <CircleAlert aria-hidden size={15} className="mt-0.5 shrink-0 text-failed" />
                ) : (
                  <TriangleAlert aria-hidden size={15} className="mt-0.5 shrink-0 text-review" />
                )}
                <span className="min-w-0">
                  <span className="sr-only">{problem.severity === "error" ? "Error: " : "Warning: "}</span>
                  <span className="wrap-anywhere">{problem.message}</span>
                  <span className="block text-small wrap-anywhere text-text-3">
                    {problemPlaceWords(document, problem)}
                  </span>
                </span>
              </button>
              {isUnfinishedProblem(problem) && (
                <Button variant="quiet" onClick={() => onDiscardText(problem.place)}>
                  Discard text
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
