import { ProcedoError } from "@procedo/contract";

/** Columns of many rows, as one array parameter each. */
export type ColumnType = "text" | "integer" | "bigint" | "boolean";

export type ColumnValue = string | number | boolean | null;

/** One array of a statement: what it says of each item. */
export interface ArrayColumn<Item> {
  readonly type: ColumnType;
  readonly valueOf: (item: Item, index: number) => ColumnValue;
}

/** An array as the driver takes it. */
export interface ArrayParameter {
  /**
   * Called by the driver when it sends the statement, for one parameter after the other.
   *
   * @throws ProcedoError `internal` once all of the statement were asked for in an earlier turn
   */
  toPostgres(): Buffer;
}

const oids: Readonly<Record<ColumnType, number>> = { text: 25, integer: 23, bigint: 20, boolean: 16 };
const headerBytes = 20;

/**
 * An array for each column, for one try to send a statement: to be made where it is sent.
 *
 * They are let go of in the turn in which the last of them was asked for. The driver keeps its values until the statement is
 * answered, when V8 has moved them to its old generation, where they take memory, and keep alive what they refer to, until
 * all of it is collected: docs/performance/runs.md#memory.
 */
export function arrayParameters<Item>(
  columns: readonly ArrayColumn<Item>[],
  items: readonly Item[],
): readonly ArrayParameter[] {
  const sent = { arrays: encodeArrays(columns, items) };
  return columns.map((_column, index) => new SentArray(sent, index));
}

/** The arrays of one try. */
interface Sent {
  arrays: readonly Buffer[];
}

/** A class, since the driver keeps these until the answer: a closure and its context would grow old with them. */
class SentArray implements ArrayParameter {
  readonly #sent: Sent;
  readonly #index: number;

  constructor(sent: Sent, index: number) {
    this.#sent = sent;
    this.#index = index;
  }

  toPostgres(): Buffer {
    const { arrays } = this.#sent;
    const array = arrays[this.#index];
    if (array === undefined) throw new ProcedoError("internal", sentBefore);
    // Whoever looks on may ask before the driver does.
    if (this.#index === arrays.length - 1) queueMicrotask(() => (this.#sent.arrays = []));
    return array;
  }
}

const sentBefore = "A statement's parameters were sent in an earlier turn: make them anew for each try.";

/**
 * Arrays in Postgres' binary format (`array_recv`): as a text, every quote in every journal row would be escaped here and
 * looked for there. The driver sends a buffer as a binary parameter.
 */
export function encodeArrays<Item>(columns: readonly ArrayColumn<Item>[], items: readonly Item[]): readonly Buffer[] {
  const arrays = columns.map(({ type, valueOf }) => ({ type, values: items.map(valueOf) }));
  // Of its own size: one that is large enough for any text would be three times as large, and the memory of each flush is seen.
  const buffer = Buffer.allocUnsafe(arrays.reduce((bytes, { values }) => bytes + headerBytes + bytesOf(values), 0));
  let at = 0;
  return arrays.map(({ type, values }) => {
    const from = at;
    at = encodeArray(buffer, type, values, from);
    return buffer.subarray(from, at);
  });
}

/** @returns where it ends */
function encodeArray(buffer: Buffer, type: ColumnType, values: readonly ColumnValue[], from: number): number {
  // One dimension; whether there is a null is for Postgres to find.
  buffer.writeInt32BE(values.length === 0 ? 0 : 1, from);
  buffer.writeInt32BE(0, from + 4);
  buffer.writeInt32BE(oids[type], from + 8);
  if (values.length === 0) return from + 12;
  buffer.writeInt32BE(values.length, from + 12);
  buffer.writeInt32BE(1, from + 16);
  return values.reduce<number>((at, value) => {
    const bytes = value === null ? -1 : writeElement(buffer, type, value, at + 4);
    buffer.writeInt32BE(bytes, at);
    return at + 4 + Math.max(0, bytes);
  }, from + headerBytes);
}

/** Enough for the elements; a number, also as a text, takes 24 at most. */
function bytesOf(values: readonly ColumnValue[]): number {
  // Not in a loop over the values: that makes an object of each.
  return values.reduce<number>(
    (bytes, value) => bytes + 4 + (typeof value === "string" ? Buffer.byteLength(value) : 24),
    0,
  );
}

/** @returns how many bytes the element takes */
function writeElement(buffer: Buffer, type: ColumnType, value: string | number | boolean, at: number): number {
  switch (type) {
    case "text":
      return buffer.write(String(value), at);
    case "integer":
      buffer.writeInt32BE(Number(value), at);
      return 4;
    case "bigint":
      buffer.writeBigInt64BE(BigInt(value), at);
      return 8;
    case "boolean":
      return buffer.writeUInt8(Number(value), at) - at;
  }
}
