import type { RunCommit } from "@procedo/storage";
import { idempotencyKeyOf } from "./idempotency-key.ts";
import type { ItemColumn } from "./item-rows.ts";

export type CommitColumn = ItemColumn<RunCommit>;

/** The row and its owner. */
export const rowColumns: readonly CommitColumn[] = [
  { name: "run_id", type: "text", valueOf: ({ runId }) => runId },
  { name: "workspace", type: "text", valueOf: ({ scope }) => scope.workspace },
  { name: "environment", type: "text", valueOf: ({ scope }) => scope.environment },
  { name: "epoch", type: "integer", valueOf: ({ epoch }) => epoch },
  { name: "seq", type: "integer", valueOf: ({ seq }) => seq },
  { name: "hash", type: "text", valueOf: ({ hash }) => hash },
  { name: "worker_id", type: "text", valueOf: ({ then }) => (then.kind === "hot" ? then.workerId : null) },
];

/** The state of the run after the row, apart from its owner. */
export const placeColumns: readonly CommitColumn[] = [
  { name: "status", type: "text", valueOf: ({ then }) => (then.kind === "hot" ? "running" : then.status) },
  {
    name: "wake_at_ms",
    type: "bigint",
    valueOf: ({ then }) => (then.kind === "parked" ? (then.wakeAtMs ?? null) : null),
  },
  { name: "ended_at_ms", type: "bigint", valueOf: ({ then }) => (then.kind === "ended" ? then.endedAtMs : null) },
  { name: "error", type: "text", valueOf: ({ then }) => (then.kind === "ended" ? (then.error ?? null) : null) },
  { name: "output", type: "text", valueOf: ({ then }) => (then.kind === "ended" ? (then.output ?? null) : null) },
];

/**
 * An effect of a row on other tables. A statement has a part for each effect of its items, since each part adds a cost.
 */
export type CommitEffect =
  "consume" | "reviews" | "events" | "fires" | "invocation" | "settle" | "waits" | "trigger" | "firing";

export const commitEffects: readonly CommitEffect[] = [
  ...(["consume", "reviews", "events", "fires", "invocation", "settle", "waits"] as const),
  // Of creations only.
  ...(["trigger", "firing"] as const),
];

/** The claimed firing that starts the run. */
export const firingColumns: readonly CommitColumn[] = [
  { name: "firing_id", type: "text", valueOf: ({ create }) => create?.firing?.firingId ?? null },
  { name: "firing_trigger_id", type: "text", valueOf: ({ create }) => create?.firing?.triggerId ?? null },
  { name: "firing_epoch", type: "integer", valueOf: ({ create }) => create?.firing?.epoch ?? null },
];

/** The effects, most of them as JSON. */
export const effectColumns: Readonly<Record<CommitEffect, readonly CommitColumn[]>> = {
  consume: [{ name: "consume", type: "text", valueOf: ({ consume }) => jsonOf(consume) }],
  reviews: [
    { name: "close_status", type: "text", valueOf: ({ closeReview }) => closeReview?.status ?? null },
    { name: "review", type: "text", valueOf: ({ openReview }) => jsonOf(openReview) },
  ],
  events: [{ name: "events", type: "text", valueOf: ({ events }) => jsonOf(events) }],
  fires: [{ name: "fires", type: "text", valueOf: ({ events }) => jsonOf(firesOf(events)) }],
  invocation: [{ name: "invocation", type: "text", valueOf: ({ invocation }) => jsonOf(invocation) }],
  settle: [{ name: "settle", type: "text", valueOf: ({ settle }) => jsonOf(settle) }],
  waits: [{ name: "waits_for", type: "text", valueOf: (item) => waitOf(item) ?? null }],
  trigger: [
    { name: "trigger_id", type: "text", valueOf: ({ create }) => create?.trigger?.triggerId ?? null },
    { name: "trigger", type: "text", valueOf: ({ create }) => create?.trigger?.body ?? null },
  ],
  firing: firingColumns,
};

/** The digest that stands for the item's idempotency key in the table. */
export const keyColumn: CommitColumn = {
  name: "key",
  type: "text",
  valueOf: ({ create, scope }) =>
    create?.idempotency === undefined ? null : idempotencyKeyOf(scope, create.procedureId, create.idempotency.key),
};

/** Columns of creations only. */
export const createColumns: readonly CommitColumn[] = [
  { name: "procedure_id", type: "text", valueOf: ({ create }) => create?.procedureId ?? null },
  { name: "procedure_version", type: "text", valueOf: ({ create }) => create?.procedureVersion ?? null },
  { name: "started_by", type: "text", valueOf: ({ create }) => create?.startedBy ?? null },
  { name: "reference", type: "text", valueOf: ({ create }) => create?.reference ?? null },
  { name: "created_at_ms", type: "bigint", valueOf: ({ create }) => create?.createdAtMs ?? null },
  keyColumn,
  { name: "key_digest", type: "text", valueOf: ({ create }) => create?.idempotency?.digest ?? null },
  { name: "key_expires_at_ms", type: "bigint", valueOf: ({ create }) => create?.idempotency?.expiresAtMs ?? null },
];

/** The effects that at least one item has. */
export function effectsOf(items: readonly RunCommit[]): readonly CommitEffect[] {
  return commitEffects.filter((effect) => items.some((item) => has(item, effect)));
}

function has(item: RunCommit, effect: CommitEffect): boolean {
  const { consume, openReview, closeReview, events, invocation, settle, create } = item;
  switch (effect) {
    case "consume":
      return consume !== undefined;
    case "reviews":
      return openReview !== undefined || closeReview !== undefined;
    case "events":
      return events !== undefined;
    case "fires":
      return firesOf(events) !== undefined;
    case "invocation":
      return invocation !== undefined;
    case "settle":
      return settle !== undefined;
    case "waits":
      return waitOf(item) !== undefined;
    case "trigger":
      return create?.trigger !== undefined;
    case "firing":
      return create?.firing !== undefined;
  }
}

/** The connection that the run waits for after the row. */
function waitOf({ then }: RunCommit): string | undefined {
  return then.kind === "parked" ? then.waitsFor : undefined;
}

/** The events that procedures can start from; `undefined` if there are none. */
function firesOf(events: RunCommit["events"]): readonly object[] | undefined {
  const fires = events?.flatMap(({ eventId, event, createdAtMs, fires }) =>
    fires === undefined ? [] : [{ eventId, event, createdAtMs, ...fires }],
  );
  return fires?.length === 0 ? undefined : fires;
}

function jsonOf(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
