import type { Payment } from "./store.ts";

/** A line of the log. A request has a `received` line when its body has arrived and a `settled` line before it is answered. */
export type LogLine =
  { readonly type: "opened" | "reset" | "keys_forgotten"; readonly at: string } | ReceivedLine | SettledLine;

export interface ReceivedLine {
  readonly type: "received";
  readonly at: string;
  readonly seq: number;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** The `Idempotency-Key`. */
  readonly key: string | null;
  /** As it was sent; null when there was none or it did not arrive whole. */
  readonly body: string | null;
}

/** `status` is null when the connection is dropped instead of answered. */
export type SettledLine = {
  readonly type: "settled";
  readonly at: string;
  readonly seq: number;
  readonly status: number | null;
} & ({ readonly executed: true; readonly payment: Payment } | { readonly executed: false; readonly replayed: boolean });

/** One request, as the oracle tells it. */
export interface RequestRecord extends Omit<ReceivedLine, "type"> {
  /**
   * `pending`: still at work. `answered` with `status`. `dropped`: settled, and the connection cut on purpose.
   * `interrupted`: the process ended before the request was settled, so it had no effect.
   */
  readonly outcome: "pending" | "answered" | "dropped" | "interrupted";
  readonly status: number | null;
  /** Whether this very request made a payment. */
  readonly executed: boolean;
  /** Whether it was answered with what an earlier request with its key had made. */
  readonly replayed: boolean;
  readonly paymentId: string | null;
}

/** What was asked and done under one idempotency key. */
export interface LedgerEffect {
  /** Null gathers the payment requests that came without a key. */
  readonly key: string | null;
  readonly requests: number;
  readonly executions: number;
  /** The different bodies that came with the key, byte for byte, in order of arrival. */
  readonly bodies: readonly string[];
  readonly paymentIds: readonly string[];
}

/** All requests since the last reset: a fold over the log's lines. */
export interface RequestRecords {
  apply(line: LogLine): void;
  nextSeq(): number;
  requests(): readonly RequestRecord[];
  effects(): readonly LedgerEffect[];
  /** What was executed under `key`, while the key is kept. */
  executed(key: string): { readonly body: string | null; readonly payment: Payment } | undefined;
}

/** Makes the fold over an empty log. */
export function createRequestRecords(): RequestRecords {
  const records = new Map<number, RequestRecord>();
  const executedByKey = new Map<string, { body: string | null; payment: Payment }>();
  let lastSeq = 0;

  const receive = ({ type: _, ...line }: ReceivedLine): void => {
    if (line.seq !== lastSeq + 1) {
      throw new Error(
        `Request ${line.seq} follows ${lastSeq} in the log: another process has written to this data folder.`,
      );
    }
    lastSeq = line.seq;
    records.set(line.seq, {
      ...line,
      outcome: "pending",
      status: null,
      executed: false,
      replayed: false,
      paymentId: null,
    });
  };

  const settle = (line: SettledLine): void => {
    const record = records.get(line.seq);
    if (record?.outcome !== "pending") throw new Error(`The log settles request ${line.seq}, which is not pending.`);
    records.set(line.seq, {
      ...record,
      outcome: line.status === null ? "dropped" : "answered",
      status: line.status,
      executed: line.executed,
      replayed: !line.executed && line.replayed,
      paymentId: line.executed ? line.payment.id : null,
    });
    if (line.executed && record.key !== null)
      executedByKey.set(record.key, { body: record.body, payment: line.payment });
  };

  return {
    apply(line) {
      switch (line.type) {
        case "received":
          receive(line);
          return;
        case "settled":
          settle(line);
          return;
        case "opened":
          for (const record of records.values()) {
            if (record.outcome === "pending") records.set(record.seq, { ...record, outcome: "interrupted" });
          }
          return;
        case "keys_forgotten":
          executedByKey.clear();
          return;
        case "reset":
          records.clear();
          executedByKey.clear();
      }
    },
    nextSeq: () => lastSeq + 1,
    requests: () => [...records.values()],
    effects: () => effectsOf(records.values()),
    executed: (key) => executedByKey.get(key),
  };
}

function effectsOf(records: Iterable<RequestRecord>): readonly LedgerEffect[] {
  const effects = new Map<
    string | null,
    { requests: number; executions: number; bodies: Set<string>; paymentIds: string[] }
  >();
  for (const { method, path, key, body, executed, paymentId } of records) {
    if (method !== "POST" || path !== "/payments") continue;
    const effect = effects.get(key) ?? { requests: 0, executions: 0, bodies: new Set(), paymentIds: [] };
    effects.set(key, effect);
    effect.requests += 1;
    if (executed) effect.executions += 1;
    if (body !== null) effect.bodies.add(body);
    if (paymentId !== null) effect.paymentIds.push(paymentId);
  }
  return [...effects].map(([key, effect]) => ({ key, ...effect, bodies: [...effect.bodies] }));
}
