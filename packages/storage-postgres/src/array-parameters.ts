/** Columns of many rows, as one array parameter each. */
export type ColumnType = "text" | "integer" | "bigint" | "boolean";

export type ColumnValue = string | number | boolean | null;

const oids: Readonly<Record<ColumnType, number>> = { text: 25, integer: 23, bigint: 20, boolean: 16 };
const headerBytes = 20;

/**
 * An array in Postgres' binary format (`array_recv`): as a text, every quote in every journal row would be escaped here and
 * looked for there. The driver sends a buffer as a binary parameter.
 */
export function arrayParameter(type: ColumnType, values: readonly ColumnValue[]): Buffer {
  // Of its own size: one that is large enough for any text would be three times as large, and the memory of each flush is seen.
  const buffer = Buffer.allocUnsafe(headerBytes + bytesOf(values));
  // One dimension; whether there is a null is for Postgres to find.
  buffer.writeInt32BE(values.length === 0 ? 0 : 1, 0);
  buffer.writeInt32BE(0, 4);
  buffer.writeInt32BE(oids[type], 8);
  buffer.writeInt32BE(values.length, 12);
  buffer.writeInt32BE(1, 16);
  let at = values.length === 0 ? 12 : headerBytes;
  for (const value of values) {
    const bytes = value === null ? -1 : writeElement(buffer, type, value, at + 4);
    buffer.writeInt32BE(bytes, at);
    at += 4 + Math.max(0, bytes);
  }
  return buffer.subarray(0, at);
}

/** Enough for the elements; a number, also as a text, takes 24 at most. */
function bytesOf(values: readonly ColumnValue[]): number {
  let bytes = 0;
  for (const value of values) bytes += 4 + (typeof value === "string" ? Buffer.byteLength(value) : 24);
  return bytes;
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
