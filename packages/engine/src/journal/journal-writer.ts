/*
 * A run's journal: rows of entries, chained by keyed hashes.
 *
 *   journal-writer.ts    appends rows to the chain
 *   chain.ts             the keyed hashes
 *   row-codec.ts         a row's text; entry-fields.ts: the members that an entry omits; encoding-context.ts: facts of the
 *                        entries before; stored-values.ts, value-at-pointer.ts: values that are stored once
 *   read-journal.ts      rows, page by page; read-past.ts: also of archived runs
 *   slices.ts            long reads, a slice per turn of the event loop; large-reads.ts, parsed-bytes.ts: their memory
 *   run-record.ts        the journal as steps (step-record.ts, step-drafts.ts); step-sizes.ts: their sizes
 *   short-journal.ts     the output and the review data that storage keeps beside the journal
 *   effect-keys.ts       the keys of calls and outcomes
 *   invocation.ts        a call as storage keeps it for its dispatch
 */
import type {
  BudgetSettlement,
  NewEvent,
  NewInvocation,
  NewReview,
  RunCommit,
  RunCreation,
  RunPlace,
  Scope,
} from "@procedo/storage";
import type { Entry } from "@procedo/procedure";
import { chainHash, chainStart } from "./chain.ts";
import type { RowCodec } from "./row-codec.ts";
import { shortJournalBytes, withOutput, withShown } from "./short-journal.ts";

/** The end of a run's journal, and the claim under which it is written. */
export interface JournalHead {
  readonly scope: Scope;
  readonly runId: string;
  readonly epoch: number;
  readonly seq: number;
  readonly hash: string;
  /** Bytes of all rows so far. */
  readonly bytes: number;
}

/** The entries of a row, and the changes that are stored with them. */
export interface RowContent {
  readonly entries: readonly Entry[];
  /** Effect keys of the notifications in these entries. */
  readonly consumed: readonly string[];
  readonly openReview: NewReview | undefined;
  readonly closeReview: RunCommit["closeReview"];
  /** The call that the row dispatches to a private connection. */
  readonly invocation: NewInvocation | undefined;
  /** Reservations that the row releases or marks as spent. */
  readonly settle: readonly BudgetSettlement[] | undefined;
  readonly events: readonly NewEvent[];
}

/** Turns entries into the next row of a run's chain; used by the run's owner. */
export interface JournalWriter {
  readonly head: JournalHead;
  /** Makes the next row. A commit of unknown outcome is repeated with the same row object. */
  row(content: RowContent, then: RunPlace, create?: RunCreation): RunCommit;
  /** Call when the row was committed: the next row follows it. */
  advance(row: RunCommit): void;
  /** The next owner of the run writes under the epoch that follows. */
  toNextEpoch(): void;
}

export function createJournalWriter(chainKey: Uint8Array, codec: RowCodec, start: JournalHead): JournalWriter {
  return new ChainedWriter(chainKey, codec, start);
}

/** A class because each run has one; see `calls/call-in-progress.ts`. */
class ChainedWriter implements JournalWriter {
  readonly #chainKey: Uint8Array;
  readonly #codec: RowCodec;
  #head: JournalHead;

  constructor(chainKey: Uint8Array, codec: RowCodec, start: JournalHead) {
    this.#chainKey = chainKey;
    this.#codec = codec;
    this.#head = start;
  }

  get head(): JournalHead {
    return this.#head;
  }

  row(content: RowContent, then: RunPlace, create?: RunCreation): RunCommit {
    const { scope, runId, epoch, hash: previous } = this.#head;
    const seq = this.#head.seq + 1;
    const { entries, consumed, events, openReview, closeReview, invocation, settle } = content;
    const body = this.#codec.encode(seq, entries);
    const hash = chainHash(this.#chainKey, previous, runId, seq, body);
    const row: { -readonly [K in keyof RunCommit]: RunCommit[K] } = { scope, runId, epoch, seq, hash, body, then };
    if (then.kind === "ended" && this.#isLongWith(body)) row.then = withOutput(then, entries);
    if (create !== undefined) row.create = create;
    if (consumed.length > 0) row.consume = consumed;
    if (openReview !== undefined) row.openReview = this.#isLongWith(body) ? withShown(openReview, entries) : openReview;
    if (closeReview !== undefined) row.closeReview = closeReview;
    if (invocation !== undefined) row.invocation = invocation;
    if (settle !== undefined) row.settle = settle;
    if (events.length > 0) row.events = events;
    return row;
  }

  #isLongWith(body: string): boolean {
    return this.#head.bytes + Buffer.byteLength(body) > shortJournalBytes;
  }

  advance(row: RunCommit): void {
    const { seq, hash, body } = row;
    this.#head = { ...this.#head, seq, hash, bytes: this.#head.bytes + Buffer.byteLength(body) };
  }

  toNextEpoch(): void {
    this.#head = { ...this.#head, epoch: this.#head.epoch + 1 };
  }
}

/** The head of a journal that has no row yet. */
export function emptyHead(scope: Scope, runId: string): JournalHead {
  return { scope, runId, epoch: 1, seq: 0, hash: chainStart, bytes: 0 };
}
