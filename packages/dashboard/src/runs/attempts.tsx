import type { ReactElement } from "react";
import type { RunStep } from "../api/models.ts";
import type { JsonValue } from "../values/json-lines.ts";
import { JsonView } from "../values/json-view.tsx";

type Exchange = NonNullable<RunStep["exchanges"]>[number];

/** The requests of a step's calls and their answers, as they are recorded: without secrets. */
export function Attempts({ exchanges }: { readonly exchanges: readonly Exchange[] }): ReactElement {
  return (
    <div className="flex flex-col gap-2">
      <h3 className="font-semibold">Attempts</h3>
      {exchanges.map((exchange, index) => (
        <details
          key={index}
          className="rounded-panel border border-hairline px-3 py-2"
          open={index === exchanges.length - 1}
        >
          <summary className="font-medium">{summaryOf(exchange)}</summary>
          <div className="mt-2 flex flex-col gap-2">
            <code className="font-mono text-code wrap-anywhere">
              {exchange.request.method} {exchange.request.url}
            </code>
            <JsonView what="Request" value={{ ...exchange.request } as unknown as JsonValue} />
            {exchange.response === undefined ? (
              <p className="text-text-2">There was no response.</p>
            ) : (
              <JsonView what="Response" value={{ ...exchange.response } as unknown as JsonValue} />
            )}
            {exchange.note !== undefined && <p className="text-small text-text-3">{exchange.note}</p>}
          </div>
        </details>
      ))}
    </div>
  );
}

function summaryOf({ call, attempt, response }: Exchange): string {
  const which = call === undefined ? `Attempt ${attempt}` : `Call ${call}, attempt ${attempt}`;
  return `${which}: ${response === undefined ? "no response" : `status ${response.status}`}`;
}
