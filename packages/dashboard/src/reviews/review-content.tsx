import type { ReactElement } from "react";
import type { Review } from "../api/models.ts";
import type { JsonValue } from "../values/json-lines.ts";
import { JsonView } from "../values/json-view.tsx";
import { AttemptFacts } from "./attempt-facts.tsx";
import { CallPanel } from "./call-panel.tsx";
import { Section } from "./section.tsx";
import { shownParts } from "./shown-parts.ts";
import { ValueList } from "./value-list.tsx";
import { WhoDecides } from "./who-decides.tsx";

/** Everything that a reviewer reads before the decision. */
export function ReviewContent({ review }: { readonly review: Review }): ReactElement {
  const { call, origins, modelWords, attempt, rest } = shownParts(review);
  const isPlain = review.kind === "human_review";
  return (
    <>
      <Section title={attempt === undefined ? "What will be sent" : "What was sent"} name="What will be sent">
        {call === undefined ? (
          <p className="text-text-2">{withoutCall(review.kind)}</p>
        ) : (
          <CallPanel call={call} origins={origins} />
        )}
        {attempt !== undefined && <AttemptFacts attempt={attempt} />}
      </Section>
      {modelWords.length > 0 && (
        <Section title="Model’s words">
          {modelWords.map(({ name, text }) => (
            <blockquote
              key={name}
              className="rounded-panel border-l-2 border-control bg-sunken px-3 py-2 wrap-anywhere whitespace-pre-wrap"
            >
              <bdi>{text}</bdi>
            </blockquote>
          ))}
          <p className="text-small text-text-3">A model wrote this. Check it against the facts.</p>
        </Section>
      )}
      <Section title="What was shown">
        {(isPlain || Object.keys(rest).length > 0) && <ValueList value={renamed(rest, review.kind)} />}
        {!isPlain && (
          <details>
            <summary className="text-text-2">Everything that was shown, as JSON</summary>
            <div className="mt-2">
              <JsonView what="Shown" value={review.data as JsonValue} />
            </div>
          </details>
        )}
      </Section>
      <WhoDecides review={review} />
    </>
  );
}

/** What is sent after a decision that covers no call. */
function withoutCall(kind: Review["kind"]): string {
  return kind === "outcome_unknown"
    ? "The service did not record the content of this call. What it recorded stands below."
    : "This decision itself sends nothing. The run goes on with what is decided here, and later steps may send calls.";
}

const names: Readonly<Record<string, string>> = {
  guards: "Guards that do not hold",
  limits: "Limits",
  question: "Question",
  answers: "Answers",
  proposed: "Proposed answer",
  confidence: "Confidence",
  confidenceNeeded: "Confidence needed",
};

/** The members that the service itself shows under names for people. Those of a procedure keep theirs. */
function renamed(rest: Readonly<Record<string, JsonValue>>, kind: Review["kind"]): JsonValue {
  if (kind === "human_review") return rest;
  const shown = Object.entries(rest).filter(([, value]) => !Array.isArray(value) || value.length > 0);
  return Object.fromEntries(
    shown.map(([name, value]): [string, JsonValue] => [(Object.hasOwn(names, name) && names[name]) || name, value]),
  );
}
