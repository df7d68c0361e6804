import { Link } from "@tanstack/react-router";
import {
  CircleHelp,
  CircleX,
  ClipboardCheck,
  Ellipsis,
  Hourglass,
  Timer,
  Unplug,
  Webhook as WebhookIcon,
  type LucideIcon,
} from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { useEnvironment } from "../shell/environment.ts";
import { Age, Until } from "../values/moment.tsx";
import type { AttentionRow } from "./attention.ts";

interface AttentionLineProps {
  readonly row: AttentionRow;
  readonly procedureNames: ReadonlyMap<string, string>;
}

/** One thing that needs a person: a word for its kind, a link to it, its cause, and its age. */
export function AttentionLine({ row, procedureNames }: AttentionLineProps): ReactElement {
  switch (row.kind) {
    case "outcome_unknown":
    case "review":
    case "expiring":
      return <ReviewLine kind={row.kind} review={row.review} procedureNames={procedureNames} />;
    case "failed":
      return <FailedLine run={row.run} procedureNames={procedureNames} />;
    case "connection":
      return <ConnectionLine connection={row.connection} />;
    case "webhook":
      return <WebhookLine webhook={row.webhook} />;
    case "trigger":
      return <TriggerLine trigger={row.trigger} procedureNames={procedureNames} />;
    case "more":
      return <MoreLine of={row.of} count={row.count} />;
  }
}

const reviewLooks = {
  outcome_unknown: { icon: CircleHelp, colour: "text-unknown", word: "Outcome unknown" },
  review: { icon: ClipboardCheck, colour: "text-review", word: "Review" },
  expiring: { icon: Hourglass, colour: "text-review", word: "Expires soon" },
} as const;

function ReviewLine({
  kind,
  review: { reviewId, title, requestedAt, expiresAt, procedureId, reference },
  procedureNames,
}: Omit<Extract<AttentionRow, { readonly review: unknown }>, "never"> &
  Pick<AttentionLineProps, "procedureNames">): ReactElement {
  const environment = useEnvironment();
  const showsExpiry = kind === "expiring" && expiresAt !== undefined;
  return (
    <Line
      {...reviewLooks[kind]}
      age={
        showsExpiry ? (
          <>
            expires <Until at={expiresAt} />
          </>
        ) : (
          <Age since={requestedAt} />
        )
      }
    >
      <Link to="/$environment/reviews/$reviewId" params={{ environment, reviewId }} className="font-medium">
        {titleOf(kind, title)}
      </Link>{" "}
      <span className="text-text-3">
        {[reference, procedureNames.get(procedureId) ?? procedureId].filter((text) => text !== undefined).join(" · ")}
      </span>
    </Line>
  );
}

/** The title without the word that the row begins with. */
function titleOf(kind: "outcome_unknown" | "review" | "expiring", title: string): string {
  const prefix = `${reviewLooks[kind].word}: `;
  return title.startsWith(prefix) ? title.slice(prefix.length) : title;
}

function FailedLine({
  run: { runId, procedureId, reference, error, createdAt, completedAt },
  procedureNames,
}: Omit<Extract<AttentionRow, { readonly run: unknown }>, "kind"> &
  Pick<AttentionLineProps, "procedureNames">): ReactElement {
  const environment = useEnvironment();
  const name = procedureNames.get(procedureId) ?? procedureId;
  return (
    <Line icon={CircleX} colour="text-failed" word="Run failed" age={<Age since={completedAt ?? createdAt} />}>
      <Link to="/$environment/runs/$runId" params={{ environment, runId }} className="font-medium">
        {reference === undefined ? name : `${reference} · ${name}`}
      </Link>{" "}
      <span className="text-text-2">{error}</span>
    </Line>
  );
}

const connectionWords: Readonly<Record<string, string>> = {
  unconfirmed: "Connection stopped",
  needs_authorization: "Connection not authorized",
};

function ConnectionLine({
  connection: {
    id,
    name,
    health: { status, checkedAt, message },
  },
}: Omit<Extract<AttentionRow, { readonly kind: "connection" }>, "kind">): ReactElement {
  const environment = useEnvironment();
  return (
    <Line
      icon={Unplug}
      colour="text-failed"
      word={connectionWords[status] ?? "Connection failing"}
      age={checkedAt !== undefined && <Age since={checkedAt} />}
    >
      <Link
        to="/$environment/connections/$connectionId"
        params={{ environment, connectionId: id }}
        className="font-medium"
      >
        {name}
      </Link>{" "}
      <span className="text-text-2">{message}</span>
    </Line>
  );
}

function WebhookLine({
  webhook: { id: webhookId, name, url, failingSince },
}: Omit<Extract<AttentionRow, { readonly kind: "webhook" }>, "kind">): ReactElement {
  const environment = useEnvironment();
  return (
    <Line
      icon={WebhookIcon}
      colour="text-failed"
      word="Webhook failing"
      age={failingSince !== undefined && <Age since={failingSince} />}
    >
      <Link to="/$environment/webhooks/$webhookId" params={{ environment, webhookId }} className="font-medium">
        {name}
      </Link>{" "}
      <span className="text-text-2">Deliveries to {url} are not accepted.</span>
    </Line>
  );
}

function TriggerLine({
  trigger: { id: triggerId, name, procedureId, health, problems },
  procedureNames,
}: Omit<Extract<AttentionRow, { readonly kind: "trigger" }>, "kind"> &
  Pick<AttentionLineProps, "procedureNames">): ReactElement {
  const environment = useEnvironment();
  const { status, lastFiringAt } = health;
  const [problem] = problems;
  return (
    <Line
      icon={Timer}
      colour="text-failed"
      word={status === "failing" ? "Trigger failing" : "Trigger"}
      age={lastFiringAt !== undefined && <Age since={lastFiringAt} />}
    >
      <Link to="/$environment/triggers/$triggerId" params={{ environment, triggerId }} className="font-medium">
        {name}
      </Link>{" "}
      <span className="text-text-3">{procedureNames.get(procedureId) ?? procedureId}</span>{" "}
      <span className="text-text-2">
        {status === "failing" && "Its newest firing or the run of it failed."}
        {status === "needs_attention" &&
          (problem === undefined ? "It starts no runs until a person changes it." : "It does not fit any more.")}
      </span>
    </Line>
  );
}

function MoreLine({ of, count }: Omit<Extract<AttentionRow, { readonly kind: "more" }>, "kind">): ReactElement {
  const environment = useEnvironment();
  const text = (one: string, many: string): string => `${count.toLocaleString("en")} more ${count === 1 ? one : many}`;
  const params = { environment };
  return (
    <Line icon={Ellipsis} colour="text-text-3" word="">
      {of === "reviews" && (
        <Link to="/$environment/reviews" params={params}>
          {text("review waits", "reviews wait")}
        </Link>
      )}
      {of === "runs" && (
        <Link to="/$environment/runs" params={params} search={{ status: ["failed"] }}>
          {text("run failed", "runs failed")} in the last 24 hours
        </Link>
      )}
      {of === "connections" && (
        <Link to="/$environment/connections" params={params}>
          {text("connection fails", "connections fail")}
        </Link>
      )}
      {of === "webhooks" && (
        <Link to="/$environment/webhooks" params={params}>
          {text("webhook fails or was", "webhooks fail or were")} deactivated by the service
        </Link>
      )}
    </Line>
  );
}

function Line({
  icon: Icon,
  colour,
  word,
  age,
  children,
}: {
  readonly icon: LucideIcon;
  readonly colour: string;
  /** For the kind of the row. */
  readonly word: string;
  readonly age?: ReactNode;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <div className="flex min-h-9 items-start gap-3 px-4 py-2 pointer-coarse:min-h-11 max-sm:flex-wrap max-sm:gap-y-0">
      <span className={`flex h-5 shrink-0 items-center gap-2 sm:w-40 ${colour}`}>
        <Icon aria-hidden size={15} className="shrink-0" />
        <span className="text-small font-medium">{word}</span>
      </span>
      <span className="line-clamp-3 min-w-0 flex-1 wrap-anywhere max-sm:order-last max-sm:basis-full">{children}</span>
      {age !== undefined && age !== false && (
        <span className="shrink-0 text-small leading-5 text-text-2 max-sm:ml-auto">{age}</span>
      )}
    </div>
  );
}
