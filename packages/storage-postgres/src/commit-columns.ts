import type { RunCommit } from "@procedo/storage";
import { type ArrayColumn, arrayParameters } from "./array-parameters.ts";
import { idempotencyKeyOf } from "./idempotency-key.ts";
import type { SqlValue } from "./statement.ts";

/** What some items bring about and others do not. A statement knows only of what its items need: each part costs its start. */
export type CommitPart = "create" | "key" | "consume" | "review" | "events" | "invocation" | "settle" | "output";

export const commitParts: readonly CommitPart[] = [
  "create",
  "key",
  "consume",
  "review",
  "events",
  "invocation",
  "settle",
  "output",
];

/** One column of the items, as the statement reads it. */
export interface CommitColumn extends ArrayColumn<RunCommit> {
  readonly name: string;
  /** `undefined`: of every item. */
  readonly part?: CommitPart;
}

export const commitColumns: readonly CommitColumn[] = [
  { name: "run_id", type: "text", valueOf: ({ runId }) => runId },
  { name: "workspace", type: "text", valueOf: ({ scope }) => scope.workspace },
  { name: "environment", type: "text", valueOf: ({ scope }) => scope.environment },
  { name: "epoch", type: "integer", valueOf: ({ epoch }) => epoch },
  { name: "seq", type: "integer", valueOf: ({ seq }) => seq },
  { name: "hash", type: "text", valueOf: ({ hash }) => hash },
  { name: "status", type: "text", valueOf: ({ then }) => (then.kind === "hot" ? "running" : then.status) },
  { name: "worker_id", type: "text", valueOf: ({ then }) => (then.kind === "hot" ? then.workerId : null) },
  {
    name: "wake_at_ms",
    type: "bigint",
    valueOf: ({ then }) => (then.kind === "parked" ? (then.wakeAtMs ?? null) : null),
  },
  { name: "ended_at_ms", type: "bigint", valueOf: ({ then }) => (then.kind === "ended" ? then.endedAtMs : null) },
  { name: "error", type: "text", valueOf: ({ then }) => (then.kind === "ended" ? (then.error ?? null) : null) },

  { name: "procedure_id", type: "text", part: "create", valueOf: ({ create }) => create?.procedureId ?? null },
  {
    name: "procedure_version",
    type: "text",
    part: "create",
    valueOf: ({ create }) => create?.procedureVersion ?? null,
  },
  { name: "started_by", type: "text", part: "create", valueOf: ({ create }) => create?.startedBy ?? null },
  { name: "created_at_ms", type: "bigint", part: "create", valueOf: ({ create }) => create?.createdAtMs ?? null },

  { name: "key", type: "text", part: "key", valueOf: keyOf },
  { name: "key_digest", type: "text", part: "key", valueOf: ({ create }) => create?.idempotency?.digest ?? null },
  {
    name: "key_expires_at_ms",
    type: "bigint",
    part: "key",
    valueOf: ({ create }) => create?.idempotency?.expiresAtMs ?? null,
  },

  { name: "consume", type: "text", part: "consume", valueOf: ({ consume }) => jsonOf(consume) },
  { name: "close_status", type: "text", part: "review", valueOf: ({ closeReview }) => closeReview?.status ?? null },
  { name: "review", type: "text", part: "review", valueOf: ({ openReview }) => jsonOf(openReview) },
  { name: "events", type: "text", part: "events", valueOf: ({ events }) => jsonOf(events) },
  { name: "invocation", type: "text", part: "invocation", valueOf: ({ invocation }) => jsonOf(invocation) },
  { name: "settle", type: "text", part: "settle", valueOf: ({ settle }) => jsonOf(settle) },
  { name: "output", type: "text", part: "output", valueOf: outputOf },
];

/** The parts that these items need, in the order of `commitParts`. */
export function partsOf(items: readonly RunCommit[]): readonly CommitPart[] {
  return commitParts.filter((part) => items.some((item) => needs(item, part)));
}

/** Whether an item is a row and nothing else. Most are. */
export function isContinuation(item: RunCommit): boolean {
  return item.then.kind === "hot" && !commitParts.some((part) => needs(item, part));
}

/** Whether an item is a run's first row and brings nothing else about, but that it may hold an idempotency key. */
export function isNewRun(item: RunCommit): boolean {
  return (
    item.create !== undefined &&
    item.seq === 1 &&
    !commitParts.some((part) => !newRunParts.includes(part) && needs(item, part))
  );
}

const newRunParts: readonly CommitPart[] = ["create", "key"];

/** Whether an item is a row that settles reservations, and nothing that has its place among others. */
export function onlySettles(item: RunCommit): boolean {
  return needs(item, "settle") && !commitParts.some((part) => part !== "settle" && needs(item, part));
}

/** Whether an item is a row with which its run comes to rest, asks for a review perhaps and tells of one event at most. */
export function comesToRest(item: RunCommit): boolean {
  const { then, closeReview, events = [] } = item;
  const isMore = commitParts.some((part) => part !== "review" && part !== "events" && needs(item, part));
  return then.kind !== "hot" && closeReview === undefined && events.length <= 1 && !isMore;
}

/** The arrays of these columns, and behind them that of the bodies. */
export function columnValues(columns: readonly CommitColumn[], items: readonly RunCommit[]): readonly SqlValue[] {
  return arrayParameters([...columns, { type: "text", valueOf: ({ body }) => body }], items);
}

/** The digest under which the item's idempotency key is held. */
export function keyOf({ create, scope }: RunCommit): string | null {
  if (create?.idempotency === undefined) return null;
  return idempotencyKeyOf(scope, create.procedureId, create.idempotency.key);
}

function needs(item: RunCommit, part: CommitPart): boolean {
  const { create, consume, openReview, closeReview, events, invocation, settle } = item;
  switch (part) {
    case "create":
      return create !== undefined;
    case "key":
      return create?.idempotency !== undefined;
    case "consume":
      return consume !== undefined;
    case "review":
      return openReview !== undefined || closeReview !== undefined;
    case "events":
      return events !== undefined;
    case "invocation":
      return invocation !== undefined;
    case "settle":
      return settle !== undefined;
    case "output":
      return outputOf(item) !== null;
  }
}

function outputOf({ then }: RunCommit): string | null {
  return then.kind === "ended" ? (then.output ?? null) : null;
}

function jsonOf(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
