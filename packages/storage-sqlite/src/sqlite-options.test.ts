import { expect, test } from "vitest";
import { SqliteStorage } from "./sqlite-storage.ts";

test.each([
  [{ path: ":memory:", lockWaitMS: 5 }, /^SqliteStorage\.open has no option "lockWaitMS"; did you mean "lockWaitMs"\?/],
  [{ file: "./procedo.sqlite" }, /^SqliteStorage\.open has no option "file"; known are/],
  [{}, /^SqliteStorage\.open was given undefined as path\. Give the path of a file\./],
  [{ path: "" }, /^SqliteStorage\.open was given an empty string as path/],
  [
    { path: ":memory:", lockWaitMs: "5s" },
    /^The option lockWaitMs is "5s"\. Give a whole number from 0 to 2147483647\.$/,
  ],
  [{ path: ":memory:", pollMs: Infinity }, /^The option pollMs is Infinity\. Give a whole number/],
  [{ path: ":memory:", now: 5 }, /^The option now is a number\. Give a function/],
  ["./procedo.sqlite", /^SqliteStorage\.open takes an object with options\. It was given a string\./],
  [undefined, /^SqliteStorage\.open takes an object with options\. It was given undefined\./],
])("opening a storage with %o is rejected with instructions", async (options, message) => {
  await expect(SqliteStorage.open(options as never)).rejects.toMatchObject({
    code: "invalid_configuration",
    message: expect.stringMatching(message) as string,
  });
});

test("a path given to the constructor is rejected with instructions", () => {
  const open = (): unknown => new SqliteStorage({ database: "./procedo.sqlite" } as never);
  expect(open).toThrow(/^The option database is a string\. .* write await SqliteStorage\.open\(\{ path \}\)\.$/);
});
