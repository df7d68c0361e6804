import { CircleCheck, CircleHelp, CircleSlash, CircleX, LoaderCircle, type LucideIcon } from "lucide-react";
import type { ReactElement } from "react";
import type { RunStep } from "../api/models.ts";
import type { JsonValue } from "../values/json-lines.ts";
import { JsonView } from "../values/json-view.tsx";
import { Identifier } from "../values/identifier.tsx";
import { Age, Elapsed, Moment } from "../values/moment.tsx";

type Attempt = NonNullable<RunStep["callAttempts"]>[number];
type Exchange = NonNullable<RunStep["exchanges"]>[number];

interface Outcome {
  readonly word: string;
  readonly icon: LucideIcon;
  readonly colour: string;
}

const outcomes: Readonly<Record<NonNullable<Attempt["outcome"]> | "under_way", Outcome>> = {
  ok: { word: "Answered", icon: CircleCheck, colour: "text-completed" },
  error: { word: "Failed", icon: CircleX, colour: "text-failed" },
  unknown: { word: "Outcome unknown", icon: CircleHelp, colour: "text-unknown" },
  not_started: { word: "Not made", icon: CircleSlash, colour: "text-text-2" },
  under_way: { word: "Under way", icon: LoaderCircle, colour: "text-running" },
};

/** The attempts of a step's calls, with their requests and answers where the integration records them. */
export function Attempts({
  attempts,
  exchanges,
}: {
  readonly attempts: readonly Attempt[];
  readonly exchanges: readonly Exchange[];
}): ReactElement {
  const calls = Map.groupBy(attempts, ({ call }) => call);
  return (
    <div className="flex flex-col gap-3">
      {[...calls].map(([call, made]) => (
        <CallAttempts
          key={call}
          attempts={made}
          isOnly={calls.size === 1}
          exchangeOf={({ attempt }) =>
            exchanges.find((exchange) => (exchange.call ?? 1) === call && exchange.attempt === attempt)
          }
        />
      ))}
    </div>
  );
}

function CallAttempts({
  attempts,
  isOnly,
  exchangeOf,
}: {
  readonly attempts: readonly Attempt[];
  readonly isOnly: boolean;
  readonly exchangeOf: (attempt: Attempt) => Exchange | undefined;
}): ReactElement | null {
  const [first] = attempts;
  if (first === undefined) return null;
  return (
    <div className="rounded-panel border border-hairline">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 px-3 py-2">
        <dt className="text-text-3">{isOnly ? "Call" : `Call ${first.call}`}</dt>
        <dd className="wrap-anywhere">
          {first.connection} · {first.action}
        </dd>
        <dt className="text-text-3">Key</dt>
        <dd className="flex flex-wrap items-center gap-x-2">
          <Identifier what="idempotency key" id={first.idempotencyKey} />
          <span className="text-small text-text-3">
            first attempt <Age since={first.startedAt} />
          </span>
        </dd>
      </dl>
      <ol className="divide-y divide-hairline border-t border-hairline">
        {attempts.map((attempt) => (
          <li key={attempt.attempt} className="flex flex-col gap-2 px-3 py-2">
            <AttemptLine attempt={attempt} />
            <ExchangeView exchange={exchangeOf(attempt)} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function AttemptLine({ attempt }: { readonly attempt: Attempt }): ReactElement {
  const { attempt: number, startedAt, completedAt, outcome, message, retryAt } = attempt;
  const { word, icon: Icon, colour } = outcomes[outcome ?? "under_way"];
  return (
    <div className="flex flex-col gap-0.5">
      <p className="flex flex-wrap items-center justify-between gap-x-4">
        <span className={`flex items-center gap-1.5 font-medium ${colour}`}>
          <Icon aria-hidden size={14} className="shrink-0" /> Attempt {number}: {word}
        </span>
        <span className="text-small text-text-2">
          <Moment at={startedAt} />, {completedAt === undefined ? "for" : "took"}{" "}
          <Elapsed from={startedAt} to={completedAt} />
        </span>
      </p>
      {message !== undefined && <p className="pl-5 wrap-anywhere whitespace-pre-wrap">{message}</p>}
      {retryAt !== undefined && (
        <p className="pl-5 text-small text-text-2">
          Next attempt: <Moment at={retryAt} />
        </p>
      )}
    </div>
  );
}

function ExchangeView({ exchange }: { readonly exchange: Exchange | undefined }): ReactElement | null {
  if (exchange === undefined) return null;
  const { request, response, note } = exchange;
  const { method, url, ...sent } = request;
  return (
    <details className="pl-5">
      <summary className="text-text-2 wrap-anywhere">
        <code className="font-mono text-code">
          {method} {url}
        </code>
        {response === undefined ? ", no answer" : `, answered ${response.status}`}
      </summary>
      <div className="mt-2 flex flex-col gap-2">
        <p className="text-small text-text-3">Request. Secrets are masked in the record.</p>
        <JsonView what="Request" value={sent as unknown as JsonValue} />
        <p className="text-small text-text-3">
          {response === undefined ? "No answer arrived." : "Answer. The body of a successful one is the output."}
        </p>
        {response !== undefined && <JsonView what="Answer" value={response as unknown as JsonValue} />}
        {note !== undefined && <p className="text-small text-text-2">{note}</p>}
      </div>
    </details>
  );
}
