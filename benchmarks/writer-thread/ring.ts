import type { JournalRow } from "../ideal-journal.ts";

/**
 * A ring of journal rows in shared memory, one writing thread and one reading thread. Both sides have their own byte
 * offset and share two counts of rows, on which each waits for the other (`Atomics.wait` and `Atomics.waitAsync`).
 */
export interface RingMemory {
  readonly bytes: SharedArrayBuffer;
  readonly counts: SharedArrayBuffer;
}

/** Index in `counts`: written rows, durable rows, 1 when the ring is closed. */
export const PUT = 0;
export const DURABLE = 1;
export const CLOSED = 2;

const HEADER_BYTES = 20;
/** In place of a run's id: the rest of the ring is unused, the next row is at its start. */
const WRAP = 0xffff_ffff;
/** The reader's lag is not limited: a hundred rows of 2 kB never fill this. */
const RING_BYTES = 4 * 1024 * 1024;

export function ringMemory(): RingMemory {
  return { bytes: new SharedArrayBuffer(RING_BYTES), counts: new SharedArrayBuffer(12) };
}

/** Returns a function that writes a row into the ring without notifying the other side. */
export function ringPutter(memory: RingMemory): (row: JournalRow) => void {
  const ring = Buffer.from(memory.bytes);
  let at = 0;
  return (row) => {
    const most = HEADER_BYTES + 3 * (row.node.length + row.input.length + row.output.length);
    if (at + most + HEADER_BYTES > ring.length) {
      ring.writeUInt32LE(WRAP, at);
      at = 0;
    }
    const header = at;
    at += HEADER_BYTES;
    const node = ring.write(row.node, at, "utf8");
    at += node;
    const input = ring.write(row.input, at, "utf8");
    at += input;
    const output = ring.write(row.output, at, "utf8");
    at += output;
    ring.writeUInt32LE(row.runId, header);
    ring.writeUInt32LE(row.seq, header + 4);
    ring.writeUInt32LE(node, header + 8);
    ring.writeUInt32LE(input, header + 12);
    ring.writeUInt32LE(output, header + 16);
  };
}

/** Returns a function that reads the next row; it must only be called while there is one. */
export function ringTaker(memory: RingMemory): () => JournalRow {
  const ring = Buffer.from(memory.bytes);
  let at = 0;
  const text = (bytes: number): string => {
    at += bytes;
    return ring.toString("utf8", at - bytes, at);
  };
  return () => {
    if (ring.readUInt32LE(at) === WRAP) at = 0;
    const header = at;
    at += HEADER_BYTES;
    return {
      runId: ring.readUInt32LE(header),
      seq: ring.readUInt32LE(header + 4),
      node: text(ring.readUInt32LE(header + 8)),
      input: text(ring.readUInt32LE(header + 12)),
      output: text(ring.readUInt32LE(header + 16)),
    };
  };
}
