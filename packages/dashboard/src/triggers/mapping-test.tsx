import { readJsonText } from "@procedo/procedure";
import { useMutation } from "@tanstack/react-query";
import { CircleCheck, CircleSlash, FlaskConical } from "lucide-react";
import { useState, type ReactElement } from "react";
import type { components } from "../api/schema.d.ts";
import { Button } from "../ui/button.tsx";
import { TextArea } from "../ui/field.tsx";
import { Alert, Problem } from "../ui/problem.tsx";
import type { JsonValue } from "../values/json-lines.ts";
import { JsonView } from "../values/json-view.tsx";
import { placeWords } from "./place-words.ts";

export type TriggerTest = components["schemas"]["TriggerTest"];

interface MappingTestProps {
  /** JSON text of the event; `undefined` for a schedule. */
  readonly event: string | undefined;
  readonly onEvent: (text: string) => void;
  /** An event that arrived before, as JSON text. */
  readonly earlier?: string | undefined;
  /** Evaluates the condition and the input. It starts and stores nothing. */
  readonly test: (event: string | undefined) => Promise<TriggerTest>;
}

/** Shows what the condition and the input make of an event. */
export function MappingTest({ event, onEvent, earlier, test }: MappingTestProps): ReactElement {
  const [fault, setFault] = useState<string>();
  const result = useMutation({ mutationFn: test });
  const run = (): void => {
    const [problem] = event === undefined ? [] : readJsonText(event).problems;
    setFault(problem === undefined ? undefined : `Line ${problem.line ?? 1}: ${problem.message}`);
    if (problem === undefined) result.mutate(event);
    else result.reset();
  };
  const edit = (text: string): void => {
    onEvent(text);
    // A result belongs to the event that it was made of.
    result.reset();
  };
  return (
    <section aria-label="Test" className="flex flex-col gap-3 rounded-panel border border-hairline bg-surface p-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-semibold">Test</h3>
        <p className="text-small text-text-3">Starts and stores nothing.</p>
      </div>
      {event !== undefined && (
        <TextArea
          label="Event"
          hint="A sample as JSON, or an event that you paste."
          isCode
          rows={8}
          value={event}
          onChange={({ target }) => edit(target.value)}
          problem={fault}
        />
      )}
      <div className="flex flex-wrap gap-2">
        <Button icon={FlaskConical} busyLabel={result.isPending ? "Testing …" : undefined} onClick={run}>
          Test
        </Button>
        {earlier !== undefined && earlier !== event && (
          <Button variant="quiet" onClick={() => edit(earlier)}>
            Use the newest event that arrived
          </Button>
        )}
      </div>
      {result.error !== null && <Problem error={result.error} />}
      <div role="status" aria-label="Result of the test" className="flex flex-col gap-2 empty:hidden">
        {result.data !== undefined && <Result result={result.data} />}
      </div>
    </section>
  );
}

function Result({ result: { matches, input, problems } }: { readonly result: TriggerTest }): ReactElement {
  return (
    <>
      {problems.length > 0 && (
        <Alert>
          <p>No run would start:</p>
          <ul className="list-disc pl-5 font-normal text-text">
            {problems.map(({ path, message }) => (
              <li key={`${path} ${message}`}>{placeWords(path, message)}</li>
            ))}
          </ul>
        </Alert>
      )}
      {problems.length === 0 && !matches && (
        <p className="flex items-center gap-2 font-medium">
          <CircleSlash aria-hidden size={15} className="text-text-2" />
          The condition is not met: no run would start.
        </p>
      )}
      {problems.length === 0 && matches && (
        <p className="flex items-center gap-2 font-medium">
          <CircleCheck aria-hidden size={15} className="text-completed" />A run would start with this input:
        </p>
      )}
      {input !== undefined && <JsonView what="Input" value={input as JsonValue} />}
    </>
  );
}
