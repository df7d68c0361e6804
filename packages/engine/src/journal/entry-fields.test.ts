import type { JsonObject } from "@procedo/contract";
import type {
  ReviewClosed,
  ReviewOpened,
  CancelRequested,
  BranchTaken,
  Emitted,
  Ended,
  Entry,
  FrozenCall,
  Intent,
  OpenReview,
  Outcome,
  Superseded,
  NodeFailed,
  RecordedExchange,
  Recovered,
  Started,
} from "@procedo/procedure";
import fc from "fast-check";
import { expect, test } from "vitest";
import { callKey } from "./effect-keys.ts";
import { jsonValue } from "./random-json.fixture.ts";
import { createRowCodec } from "./row-codec.ts";

const runId = "run_1";

/** Any characters. A few texts recur, so that entries omit them. */
const text = fc.oneof(fc.constantFrom("a", "b"), fc.string({ unit: "binary", maxLength: 12 }));
const count = fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.integer({ min: 1, max: 300 }));
/** A clock may be set back, and may have fractions. */
const atMs = fc.oneof(
  fc.integer({ min: 0, max: 4e12 }),
  fc.integer({ min: 0, max: 9 }),
  fc.double({ min: 0, max: 4e12, noNaN: true }),
);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const jsonObject = jsonValue.map((value): JsonObject => ({ value, "a/b": { "~": value } }));

/** Without the members that are `undefined`. */
function present<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;
}

/** One arbitrary for each field, so that a new field is a type error here until it is generated. */
type Arbitraries<T> = { readonly [K in keyof Required<T>]: fc.Arbitrary<T[K] | undefined> };

function drawn<T extends object>(fields: Arbitraries<T>): fc.Arbitrary<T> {
  return fc.record<object>(fields).map((made) => present(made as T));
}

const frozenFields: Arbitraries<FrozenCall> = {
  connection: text,
  connectionId: text,
  action: text,
  revision: text,
  effect: fc.constantFrom("read", "idempotent", "once"),
  account: maybe(fc.record({ sinceMs: fc.nat(), id: text, name: text })),
  idempotencyKeyTtlMs: maybe(fc.constantFrom(1_000, 300_000)),
  onUnknownOutcome: maybe(fc.constant("retry" as const)),
  dispatched: maybe(fc.constant(true as const)),
  args: jsonObject,
};
const intentFields: Arbitraries<Intent> = {
  type: fc.constant("intent"),
  atMs,
  nodeId: text,
  visit: count,
  call: count,
  attempt: count,
  notStarted: maybe(count),
  deferrals: maybe(count),
  key: fc.constant("derived"),
  frozen: drawn(frozenFields),
  approvedDigest: maybe(text),
  uncertainReason: maybe(text),
  firstSentAtMs: maybe(atMs),
  waivesKeyAge: maybe(fc.constant(true as const)),
  reserved: maybe(fc.array(fc.record({ budget: text, amount: count }), { maxLength: 2 })),
  sendByMs: atMs,
  timeoutMs: fc.oneof(fc.constant(60_000), fc.integer({ min: 1, max: 90_000 })),
};
const outcomeFields: Arbitraries<Outcome> = {
  type: fc.constant("outcome"),
  atMs,
  nodeId: text,
  visit: count,
  call: count,
  attempt: count,
  result: fc.oneof(
    jsonValue.map((output) => ({ status: "ok", output }) as const),
    text.map((reason) => ({ status: "unknown", reason }) as const),
    text.map((reason) => ({ status: "unknown", reason, answered: true }) as const),
    text.map((message) => ({ status: "error", error: { message } }) as const),
    text.map((message) => ({ status: "error", error: { message, code: "not_started" } }) as const),
  ),
  retryAtMs: maybe(atMs),
  deferred: maybe(fc.constant(true as const)),
  late: maybe(fc.constant(true as const)),
  exchange: maybe(
    fc
      .tuple(text, count, maybe(jsonValue), maybe(jsonValue), maybe(text))
      .map(([url, status, sent, received, note]): RecordedExchange => {
        const headers = { "x-a": "b" };
        const request = { method: "POST", url, headers, ...(sent !== undefined && { body: sent }) };
        const response = { status, headers, ...(received !== undefined && { body: received }) };
        return { request, ...(status !== 1 && { response }), ...(note !== undefined && { note }) };
      }),
  ),
};
const factsFields: Arbitraries<Started["facts"]> = {
  runId: fc.constant(runId),
  procedureId: text,
  procedureVersion: text,
  environment: fc.constantFrom("sandbox", "live"),
  createdAt: fc.constant("1970-01-01T00:00:00.007Z"),
  startedBy: text,
};
const startedFields: Arbitraries<Started> = {
  type: fc.constant("started"),
  // Sometimes exactly the time of `createdAt`, as in the engine's own runs.
  atMs: fc.oneof(fc.constant(7), atMs),
  input: jsonValue,
  facts: drawn(factsFields),
  reference: maybe(text),
  trigger: maybe(
    fc.record(
      { kind: fc.constant("event" as const), triggerId: text, firingId: text, eventId: text, chainDepth: count },
      { requiredKeys: ["kind", "triggerId", "firingId", "eventId", "chainDepth"] },
    ),
  ),
};
const branchTakenFields: Arbitraries<BranchTaken> = {
  type: fc.constant("branch_taken"),
  atMs,
  nodeId: text,
  visit: count,
  branch: text,
  reason: maybe(text),
  confidence: maybe(fc.double({ min: 0, max: 1, noNaN: true })),
};
const endedFields: Arbitraries<Ended> = {
  type: fc.constant("ended"),
  atMs,
  nodeId: maybe(text),
  result: fc.oneof(
    jsonObject.map((output) => ({ status: "completed", output }) as const),
    text.map((error) => ({ status: "failed", error }) as const),
  ),
};
const recoveredFields: Arbitraries<Recovered> = {
  type: fc.constant("recovered"),
  atMs,
  workerId: text,
  epoch: count,
};
const nodeFailedFields: Arbitraries<NodeFailed> = {
  type: fc.constant("node_failed"),
  atMs,
  nodeId: text,
  kind: fc.constantFrom("tool_call", "condition", "human_review", "end"),
  visit: count,
  error: jsonValue.map((details) => ({ message: "no", code: "limit", details }) as const),
};
const reviewOpenedFields: Arbitraries<ReviewOpened> = {
  type: fc.constant("review_opened"),
  atMs,
  nodeId: text,
  visit: count,
  review: fc.tuple(text, jsonObject, maybe(drawn(frozenFields))).map(([title, data, call]): OpenReview => {
    const rules = { roles: ["reviewer"], people: [], approvals: 1, outputs: data };
    const shown = {
      reviewId: "rev_1",
      kind: "human_review",
      title,
      data,
      digest: "g",
      effectKey: "e",
      rules,
    } as const;
    return { ...shown, ...(call !== undefined && { call: { ...call, nodeId: "b", digest: "d" } }) };
  }),
};
const reviewClosedFields: Arbitraries<ReviewClosed> = {
  type: fc.constant("review_closed"),
  atMs,
  reviewId: text,
  answer: fc.oneof(
    fc.tuple(maybe(jsonObject), jsonObject).map(([outputs, supplied]): ReviewClosed["answer"] => {
      const decision = { decisionId: "dec_1", person: "bob", via: "key", approved: true, atMs: 8, digest: "g" };
      const decisions = [{ ...decision, outputs: supplied }];
      return { status: "approved", decisions, ...(outputs !== undefined && { outputs }) };
    }),
    text.map((reason) => ({ status: "rejected", reason, decisions: [] }) as const),
    fc.constantFrom("expired", "cancelled").map((status) => ({ status, decisions: [] }) as const),
    fc.constant({ status: "settled" } as const),
  ),
};
const emittedFields: Arbitraries<Emitted> = {
  type: fc.constant("emitted"),
  atMs,
  nodeId: text,
  visit: count,
  event: text,
  payload: jsonObject,
};
const cancelRequestedFields: Arbitraries<CancelRequested> = {
  type: fc.constant("cancel_requested"),
  atMs,
  by: text,
  reason: maybe(text),
};
const supersededFields: Arbitraries<Superseded> = {
  type: fc.constant("superseded"),
  atMs,
  effectKey: text,
  body: jsonValue,
};
const others: readonly fc.Arbitrary<Entry>[] = [
  ...[
    drawn(startedFields),
    drawn(recoveredFields),
    drawn(branchTakenFields),
    drawn(nodeFailedFields),
    drawn(endedFields),
  ],
  ...[drawn(reviewOpenedFields), drawn(reviewClosedFields), drawn(emittedFields), drawn(cancelRequestedFields)],
  drawn(supersededFields),
];
const usualDeadline = (entry: Intent, usual: boolean): Intent =>
  usual ? { ...entry, sendByMs: entry.atMs + 5_000 } : entry;
const withKey = (entry: Intent): Intent => {
  const { nodeId, visit, call } = entry;
  return { ...entry, key: callKey(runId, nodeId, visit, call) };
};
const intent = fc.tuple(drawn(intentFields), fc.boolean()).map((made) => withKey(usualDeadline(...made)));
const outcome = drawn(outcomeFields);

/**
 * An outcome of the call or of another call, or the next attempt of the call. Some of its facts repeat earlier ones.
 */
const afterIntent = fc
  .tuple(intent, outcome, intent, fc.nat(4))
  .map(([call, { nodeId: _, visit: _visit, call: _call, attempt: _attempt, ...rest }, other, way]): Entry[] => {
    const { nodeId, visit, call: number, attempt } = call;
    const answered: Outcome = { ...rest, nodeId, visit, call: number, attempt };
    const retry: Intent = { ...other, nodeId, visit, call: number, key: call.key, frozen: call.frozen };
    const sameConnection: Intent = {
      ...other,
      frozen: { ...other.frozen, connection: call.frozen.connection, connectionId: call.frozen.connectionId },
    };
    switch (way) {
      case 0:
        return [call, answered];
      case 1:
        return [call, answered, retry];
      case 2:
        return [call, answered, sameConnection];
      case 3:
        return [call, { ...answered, attempt: attempt + 1 }, sameConnection, answered];
      default:
        return [call, other, answered];
    }
  });

test("an entry of any kind is decoded as it was encoded, by a new reader and by one that encodes more rows", () => {
  const journal = fc.array(
    fc.oneof(
      afterIntent,
      fc.oneof(intent, outcome, ...others).map((entry): Entry[] => [entry]),
    ),
    { minLength: 1, maxLength: 8 },
  );
  fc.assert(
    fc.property(
      journal,
      fc.array(fc.integer({ min: 1, max: 3 })),
      fc.nat(9),
      fc.array(fc.nat(9)),
      (parts, cuts, heirAt, twice) => {
        const rows = cut(parts.flat(), cuts);
        let writer = createRowCodec(runId);
        const bodies: string[] = [];
        rows.forEach((entries, index) => {
          if (index === heirAt) {
            writer = createRowCodec(runId);
            bodies.forEach((body, earlier) => writer.decode(earlier + 1, body));
          }
          if (twice.includes(index)) writer.encode(index + 1, [...entries, ...(rows[0] ?? [])]);
          bodies.push(writer.encode(index + 1, entries));
        });
        const reader = createRowCodec(runId);
        expect(sortedText(bodies.map((body, index) => reader.decode(index + 1, body)))).toBe(sortedText(rows));
      },
    ),
    { numRuns: 2_000 },
  );
});

/** JSON with sorted members. An assertion on objects would be misled by names such as `constructor`. */
function sortedText(rows: unknown): string {
  return JSON.stringify(rows, (_name, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/** Rows with the numbers of entries that `cuts` lists, followed by rows of one entry. */
function cut(entries: readonly Entry[], cuts: readonly number[]): readonly (readonly Entry[])[] {
  const rows: (readonly Entry[])[] = [];
  for (let from = 0; from < entries.length; from += rows.at(-1)?.length ?? 1) {
    rows.push(entries.slice(from, from + (cuts[rows.length] ?? 1)));
  }
  return rows;
}
