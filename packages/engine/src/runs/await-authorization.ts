import { repeatableUntilMs, type RunState } from "@procedo/procedure";
import type { FoundAction } from "../calls/find-action.ts";
import { nodeFailed } from "../calls/node-failed.ts";
import type { ResolvedConnection } from "../connections/resolved-connection.ts";
import { append, hasPendingEntries } from "./active-run.ts";
import type { Abandoned, Execution, Parked } from "./execution.ts";
import type { ConnectedStep } from "./perform-step.ts";

/** The step of a call that is about to be made. */
type CallingStep = Extract<ConnectedStep, { do: "propose" | "intend" | "judge" }>;

/** How long a run waits for a person to authorize a connection, in milliseconds: 7 days. */
const heldMs = 7 * 24 * 3_600_000;

/** How soon it looks again by itself, in milliseconds: a process can die between an authorization and the waking of its runs. */
const lookAgainMs = 3_600_000;

/** A shorter wait for the authorization server is not worth an entry of the journal. */
const shortWaitMs = 5_000;

/** What a call does that cannot be made yet. */
export type NotAuthorized =
  | "needs_commit"
  /** A caller waits that resumes the run. */
  | "no_place"
  /** There is a token now. Notifications may have come meanwhile. */
  | "waited"
  | { readonly laterTurnMs: number }
  | LacksAuthorization;

/** A step whose connection has no access token. */
export interface LacksAuthorization {
  readonly step: CallingStep;
  readonly lacks: ResolvedConnection;
  readonly reason: string;
  /** When the authorization server may be asked again; `undefined` when a person has to authorize the connection. */
  readonly askAgainMs: number | undefined;
}

/**
 * Reads the authorization of a call's connection where this process does not know it, or not any more: a call that is
 * rendered names the account.
 *
 * @returns `false` without reading it if a caller waits that resumes the run
 * @throws ProcedoError `storage_unavailable`
 */
export async function knowsAccount({ run }: Execution, found: FoundAction | undefined): Promise<boolean> {
  const authorization = found?.ok === true ? found.connection.authorization : undefined;
  if (authorization === undefined || authorization.known() !== undefined) return true;
  if (run.resumeTrigger !== undefined) return false;
  await authorization.stored();
  return true;
}

/**
 * Gets an access token for the call's connection, before its intent: its time to be sent is for the call alone.
 *
 * @returns `undefined` if the connection has one, or needs none
 * @throws ProcedoError `storage_unavailable`
 */
export async function awaitAuthorization(
  { run, ports }: Execution,
  step: CallingStep,
  found: FoundAction | undefined,
): Promise<NotAuthorized | undefined> {
  const authorization = found?.ok === true ? found.connection.authorization : undefined;
  if (found?.ok !== true || authorization === undefined) return undefined;
  const known = authorization.known();
  if (known?.status === "ready") return undefined;
  if (run.resumeTrigger !== undefined) return "no_place";
  // The caller that started the run waits for its first row, not for the authorization server.
  if (hasPendingEntries(run)) return "needs_commit";
  const readiness = known ?? (await authorization.ready());
  if (readiness.status === "ready") return "waited";
  const { message: reason } = readiness;
  const askAgainMs = readiness.status === "later" ? Math.max(0, readiness.atMs - ports.clock.now()) : undefined;
  if (askAgainMs !== undefined && askAgainMs <= shortWaitMs) return { laterTurnMs: askAgainMs };
  return { step, lacks: found.connection, reason, askAgainMs };
}

/**
 * Parks the run until its connection is authorized. The journal states the wait once. After 7 days the step fails, but not
 * with a call of unknown outcome: an error would say that it was not made. That waits while it may be repeated.
 *
 * @returns `undefined` when the step has failed: the run goes on
 */
export async function holdForAuthorization(
  execution: Execution,
  { step, lacks, reason, askAgainMs }: LacksAuthorization,
): Promise<Parked | Abandoned | undefined> {
  const { ports, run } = execution;
  const { node, visit } = step;
  const atMs = ports.clock.now();
  const { name: connection, connectionId } = lacks;
  const { held: before } = run.state;
  const isHeld = before?.nodeId === node.id && before.visit === visit && before.connectionId === connectionId;
  const isOver = isHeld && atMs >= before.untilMs;
  const repeatableMs = repeatableUntil(run.state);
  if (isOver && repeatableMs === undefined) {
    const message = `Connection "${connection}" had no access token for 7 days, and nothing was sent. ${reason}`;
    append(run, nodeFailed(node, visit, atMs, { message }));
    return undefined;
  }
  const untilMs = isHeld && !isOver ? before.untilMs : Math.min(atMs + heldMs, (repeatableMs ?? Infinity) + 1);
  if (!isHeld || isOver) {
    append(run, { type: "held", atMs, nodeId: node.id, visit, connection, connectionId, reason, untilMs });
  }
  // A server that fails is asked less and less often: each time is a row of the journal.
  const heldForMs = isHeld ? Math.max(0, atMs - before.atMs) : 0;
  const waitMs = askAgainMs === undefined ? lookAgainMs : Math.min(lookAgainMs, Math.max(askAgainMs, heldForMs));
  const parked = await execution.park("running", Math.min(untilMs, atMs + waitMs), connectionId);
  // A person may have authorized the connection while the run was not parked yet, and woken all but this one.
  if (parked.kind === "parked" && askAgainMs === undefined) await wakeIfAuthorized(execution, lacks);
  return parked;
}

/** Until when a call of unknown outcome may be repeated; `undefined` when no attempt can have been made. */
function repeatableUntil({ cursor }: RunState): number | undefined {
  if (cursor.at !== "backoff" || cursor.call.uncertainReason === undefined) return undefined;
  return cursor.call.waivesKeyAge === true ? Infinity : repeatableUntilMs(cursor.call);
}

async function wakeIfAuthorized(
  { ports, run }: Execution,
  { authorization, connectionId }: ResolvedConnection,
): Promise<void> {
  const readiness = await authorization?.stored().catch(() => undefined);
  if (readiness === undefined || readiness.status === "needs_authorization") return;
  const { scope } = run.writer.head;
  await ports.storage.runs.wake({ scope, waitsFor: connectionId, limit: 1 }).catch(() => 0);
}
