import type { Receiver } from "./event-deliveries.ts";
import type { Payment, SeedInvoice } from "./store.ts";

/**
 * A line of the log: `received` after a request's body has arrived, `settled` before the request is answered; the others
 * from `/_control` and from the sender of events.
 */
export type LogLine =
  | { readonly type: "opened" | "reset" | "keys_forgotten" | "events_resent"; readonly at: string }
  | ReceivedLine
  | SettledLine
  | { readonly type: "invoice_received"; readonly at: string; readonly invoice: SeedInvoice }
  | { readonly type: "receiver_set"; readonly at: string; readonly receiver: Receiver }
  | {
      readonly type: "event_accepted";
      readonly at: string;
      readonly eventId: string;
      /** Its name. */
      readonly receiver: string;
    };

export interface ReceivedLine {
  readonly type: "received";
  readonly at: string;
  readonly seq: number;
  readonly method: string;
  /** Path with the query. */
  readonly path: string;
  /** The `Idempotency-Key`. */
  readonly key: string | null;
  /** The body as sent; null when there was none or it was incomplete. */
  readonly body: string | null;
}

/** `status` is null when the connection is dropped instead of answered. */
export type SettledLine = {
  readonly type: "settled";
  readonly at: string;
  readonly seq: number;
  readonly status: number | null;
} & ({ readonly executed: true; readonly payment: Payment } | { readonly executed: false; readonly replayed: boolean });

/** One recorded request. */
export interface RequestRecord extends Omit<ReceivedLine, "type"> {
  /**
   * `pending`: in progress. `answered` with `status`. `dropped`: settled, with the connection cut on purpose.
   * `interrupted`: the process ended before the request was settled, so the request had no effect.
   */
  readonly outcome: "pending" | "answered" | "dropped" | "interrupted";
  readonly status: number | null;
  /** Whether this request itself made a payment. */
  readonly executed: boolean;
  /** Whether the answer shows the payment of an earlier request with the same key. */
  readonly replayed: boolean;
  readonly paymentId: string | null;
}

/** The requests and payments of one idempotency key. */
export interface LedgerEffect {
  /** Null for all payment requests without a key. */
  readonly key: string | null;
  readonly requests: number;
  readonly executions: number;
  /** The distinct bodies sent with the key, byte for byte, in order of arrival. */
  readonly bodies: readonly string[];
  readonly paymentIds: readonly string[];
}

/** All requests since the last reset, folded from the lines of the log. */
export interface RequestRecords {
  apply(line: LogLine): void;
  nextSeq(): number;
  requests(): readonly RequestRecord[];
  effects(): readonly LedgerEffect[];
  /** The payment executed under `key`, until the key is forgotten. */
  executed(key: string): { readonly body: string | null; readonly payment: Payment } | undefined;
}

/** Creates the fold over an empty log. */
export function createRequestRecords(): RequestRecords {
  const records = new Map<number, RequestRecord>();
  const executedByKey = new Map<string, { body: string | null; payment: Payment }>();
  let lastSeq = 0;

  const receive = ({ type: _, ...line }: ReceivedLine): void => {
    if (line.seq !== lastSeq + 1) {
      throw new Error(
        `Request ${line.seq} follows ${lastSeq} in the log. Another process has written to this data folder.`,
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
          return;
        default:
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
