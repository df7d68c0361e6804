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
  /** Makes the next row. Asked once for it: a commit of unknown outcome is sent again as the same row. */
  row(entries: readonly Entry[], effects: RowEffects, then: RunPlace, create?: RunCreation): RunCommit;
  /** The row was committed; the next one follows it. */
  advance(row: RunCommit): void;
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
      return {
        scope: head.scope,
        runId: head.runId,
        epoch: head.epoch,
        seq,
        hash: chainHash(chainKey, head.hash, head.runId, seq, body),
        body,
        then,
        ...(create === undefined ? {} : { create }),
        ...(effects.consume.length === 0 ? {} : { consume: effects.consume }),
        ...(effects.openReview === undefined ? {} : { openReview: effects.openReview }),
        ...(effects.closeReview === undefined ? {} : { closeReview: effects.closeReview }),
        ...(effects.events.length === 0 ? {} : { events: effects.events }),
      };
    },
    advance: (row) => {
      head = { ...head, seq: row.seq, hash: row.hash, bytes: head.bytes + Buffer.byteLength(row.body) };
    },
  };
}

/** The head of a journal that has no row yet. */
export function emptyHead(scope: Scope, runId: string): JournalHead {
  return { scope, runId, epoch: 1, seq: 0, hash: chainStart, bytes: 0 };
}
