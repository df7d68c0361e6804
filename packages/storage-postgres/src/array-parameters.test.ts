import { expect, test } from "vitest";
import {
  type ArrayColumn,
  arrayParameters,
  type ColumnType,
  type ColumnValue,
  encodeArrays,
} from "./array-parameters.ts";

const encoded = (type: ColumnType, values: readonly ColumnValue[]): readonly number[] => {
  const [array] = encodeArrays([{ type, valueOf: (value: ColumnValue) => value }], values);
  return [...(array ?? [])];
};

test("elements stand behind their lengths, and null has none", () => {
  const header = (oid: number, count: number) => [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, oid, 0, 0, 0, count, 0, 0, 0, 1];
  expect(encoded("text", ["é", null, ""])).toEqual([
    ...header(25, 3),
    ...[0, 0, 0, 2, 0xc3, 0xa9],
    ...[0xff, 0xff, 0xff, 0xff],
    ...[0, 0, 0, 0],
  ]);
  expect(encoded("integer", [258])).toEqual([...header(23, 1), 0, 0, 0, 4, 0, 0, 1, 2]);
  expect(encoded("bigint", [2 ** 40])).toEqual([...header(20, 1), 0, 0, 0, 8, 0, 0, 1, 0, 0, 0, 0, 0]);
  expect(encoded("boolean", [true, null, false])).toEqual([
    ...header(16, 3),
    ...[0, 0, 0, 1, 1],
    ...[0xff, 0xff, 0xff, 0xff],
    ...[0, 0, 0, 1, 0],
  ]);
});

test("an empty array has no dimension", () => {
  expect(encoded("text", [])).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 25]);
});

interface Item {
  readonly id: string;
  readonly number: number | null;
}

const columns: readonly ArrayColumn<Item>[] = [
  { type: "text", valueOf: ({ id }) => id },
  { type: "integer", valueOf: ({ number }) => number },
  { type: "boolean", valueOf: ({ number }) => number !== null },
];

test("the arrays of a statement stand in one piece of memory, each as it would stand alone", () => {
  const items = [
    { id: "é".repeat(40_000), number: 1 },
    { id: "", number: null },
  ];
  const arrays = encodeArrays(columns, items);
  expect(new Set(arrays.map(({ buffer }) => buffer)).size).toBe(1);
  for (const [index, column] of columns.entries()) {
    expect([...(arrays[index] ?? [])]).toEqual(
      encoded(
        column.type,
        items.map((item, at) => column.valueOf(item, at)),
      ),
    );
  }
});

test("parameters may be asked for in the turn in which they are sent, and never again", async () => {
  const items = [
    { id: "a", number: 1 },
    { id: "b", number: null },
  ];
  const parameters = arrayParameters(columns, items);
  const ask = (): readonly Buffer[] => parameters.map((parameter) => parameter.toPostgres());
  expect(ask()).toEqual(encodeArrays(columns, items));
  expect(ask()).toEqual(encodeArrays(columns, items));
  await Promise.resolve();
  expect(ask).toThrow(expect.objectContaining({ code: "internal" }));
  for (const parameter of parameters) expect(() => parameter.toPostgres()).toThrow("make them anew for each try");
});
