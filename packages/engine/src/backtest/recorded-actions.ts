import type { JsonObject, JsonValue } from "@procedo/contract";
import type { FrozenCall } from "@procedo/procedure";
import type { ActionMetadata } from "../connections/action-metadata.ts";
import type { ResolveConnection, ResolvedConnection } from "../connections/resolved-connection.ts";
import type { Action } from "../integrations/integration.ts";
import { namedCalls } from "../procedures/named-calls.ts";
import { nothingToRedact } from "../secrets/redact.ts";
import type { RecordedRun } from "./recorded-run.ts";

/** The present metadata of an action; `undefined` if it is unknown. */
export type KnownActions = (connection: string, action: string) => ActionMetadata | undefined;

/**
 * The connections of a backtest, made from a run's record and the present metadata of the actions. They cannot send a
 * request.
 *
 * Recorded arguments are valid, because they were sent; other arguments are validated against the present schema.
 */
export function recordedConnections(document: unknown, run: RecordedRun, known: KnownActions): ResolveConnection {
  const calls = recordedCalls(run);
  const connections = new Map<string, ResolvedConnection & { readonly actions: Map<string, Action> }>();
  for (const { connection, action } of namedCalls(document)) {
    const recorded = calls.get(keyOf(connection, action));
    const made = connections.get(connection) ?? {
      name: connection,
      connectionId: recorded?.frozen?.connectionId ?? connection,
      settings: {},
      secrets: {},
      redactor: nothingToRedact,
      actions: new Map<string, Action>(),
    };
    connections.set(connection, made);
    made.actions.set(action, recordedAction(action, recorded, known(connection, action)));
  }
  return async (_environment, name) => connections.get(name);
}

interface RecordedCalls {
  /** The call as it was first frozen. */
  frozen: FrozenCall | undefined;
  /** Whether a function required a review. */
  asksForReview: boolean;
  /** Valid arguments, as JSON text. */
  readonly sent: Set<string>;
}

function recordedCalls({ entries }: RecordedRun): ReadonlyMap<string, RecordedCalls> {
  const calls = new Map<string, RecordedCalls>();
  const note = (frozen: FrozenCall): RecordedCalls => {
    const key = keyOf(frozen.connection, frozen.action);
    const known = calls.get(key) ?? { frozen: undefined, asksForReview: false, sent: new Set<string>() };
    known.frozen ??= frozen;
    known.sent.add(textOf(frozen.args));
    calls.set(key, known);
    return known;
  };
  for (const entry of entries) {
    if (entry.type === "intent" && entry.attempt === 1) note(entry.frozen);
    if (entry.type !== "review_opened" || entry.review.call === undefined) continue;
    const known = note(entry.review.call);
    known.asksForReview ||= entry.review.kind === "function";
  }
  return calls;
}

function recordedAction(name: string, recorded: RecordedCalls | undefined, today: ActionMetadata | undefined): Action {
  const frozen = recorded?.frozen;
  const isDispatched = frozen?.dispatched === true || (frozen === undefined && today?.dispatch !== undefined);
  const requiresReview = recorded?.asksForReview === true || today?.dispatch?.requiresReview === true;
  return {
    name,
    description: today?.description ?? "",
    effect: frozen?.effect ?? today?.effect ?? "once",
    input: today?.input ?? {},
    output: today?.output,
    revision: frozen?.revision ?? today?.revision ?? "",
    deprecated: false,
    operation: today?.operation,
    timeoutMs: today?.timeoutMs,
    idempotencyKeyTtlMs: frozen === undefined ? today?.idempotencyKeyTtlMs : frozen.idempotencyKeyTtlMs,
    onUnknownOutcome: frozen === undefined ? today?.onUnknownOutcome : frozen.onUnknownOutcome,
    ...(isDispatched && { dispatch: { requiresReview } }),
    check: (args) => {
      if (recorded?.sent.has(textOf(args)) === true) return [];
      return today?.check(args) ?? [];
    },
    call: () => Promise.reject(new Error("A backtest calls nothing.")),
  };
}

function keyOf(connection: string, action: string): string {
  return JSON.stringify([connection, action]);
}

/** JSON text that is equal for equal arguments, in any order of their members. */
function textOf(value: JsonValue): string {
  return JSON.stringify(value, (_name, member: JsonValue) => {
    if (typeof member !== "object" || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member as JsonObject).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
