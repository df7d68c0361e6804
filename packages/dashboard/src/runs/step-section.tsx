import type { ReactElement, ReactNode } from "react";
import { partIdOf, type StepPart } from "./step-part.ts";

const headings: Readonly<Record<StepPart, string>> = {
  input: "Input",
  output: "Output",
  attempts: "Attempts",
  agent: "Agent",
  review: "Review",
};

/** A part of a step's record under its heading, to which a key moves the focus. */
export function StepSection({
  part,
  aside,
  children,
}: {
  readonly part: StepPart;
  /** Beside the heading. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 id={partIdOf(part)} tabIndex={-1} className="scroll-mt-16 font-semibold">
          {headings[part]}
        </h3>
        {aside !== undefined && <span className="text-small text-text-3">{aside}</span>}
      </div>
      {children}
    </div>
  );
}
