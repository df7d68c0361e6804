import type { NewEvent, NewReview, RunCommit, RunCreation, RunPlace, Scope } from "@procedo/storage";
import type { Entry } from "@procedo/procedure";
import { chainHash, chainStart } from "./chain.ts";
import type { RowCodec } from "./row-codec.ts";

/** Where a run's journal ends, and under which claim it is written. */
export interface JournalHead {
  readonly scope: Scope;
  readonly runId: string;
  readonly epoch: number;
  readonly seq: number;
  readonly hash: string;
  /** Of all rows so far. */
  readonly bytes: number;
}

/** What a row brings about beside its entries. */
export interface RowEffects {
  readonly consume: readonly string[];
  readonly openReview: NewReview | undefined;
  readonly closeReview: RunCommit["closeReview"];
  readonly events: readonly NewEvent[];
}

/** The owner's end of a run's journal: turns entries into the next row of the chain. */
export interface JournalWriter {
  readonly head: JournalHead;
  /** Makes the next row. A commit of unknown outcome is sent again as the same row, not as one that is made again. */
  row(entries: readonly Entry[], effects: RowEffects, then: RunPlace, create?: RunCreation): RunCommit;
  /** The row was committed; the next one follows it. */
  advance(row: RunCommit): void;
  /** Whoever claims the run next writes under the epoch that follows. */
  toNextEpoch(): void;
}

export function createJournalWriter(chainKey: Uint8Array, codec: RowCodec, start: JournalHead): JournalWriter {
  let head = start;
  return {
    get head() {
      return head;
    },
    row: (entries, effects, then, create) => {
      const seq = head.seq + 1;
      const body = codec.encode(seq, entries);
      const { scope, runId, epoch } = head;
      const hash = chainHash(chainKey, head.hash, runId, seq, body);
      const row: { -readonly [K in keyof RunCommit]: RunCommit[K] } = { scope, runId, epoch, seq, hash, body, then };
      if (create !== undefined) row.create = create;
      if (effects.consume.length > 0) row.consume = effects.consume;
      if (effects.openReview !== undefined) row.openReview = effects.openReview;
      if (effects.closeReview !== undefined) row.closeReview = effects.closeReview;
      if (effects.events.length > 0) row.events = effects.events;
      return row;
    },
    advance: (row) => {
      head = { ...head, seq: row.seq, hash: row.hash, bytes: head.bytes + Buffer.byteLength(row.body) };
    },
    toNextEpoch: () => {
      head = { ...head, epoch: head.epoch + 1 };
    },
  };
}

/** The head of a journal that has no row yet. */
export function emptyHead(scope: Scope, runId: string): JournalHead {
  return { scope, runId, epoch: 1, seq: 0, hash: chainStart, bytes: 0 };
}
