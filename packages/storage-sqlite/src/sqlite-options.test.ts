import { expect, test } from "vitest";
import { SqliteStorage } from "./sqlite-storage.ts";

test.each([
  [{ path: ":memory:", lockWaitMS: 5 }, /^SqliteStorage\.open has no option "lockWaitMS"; did you mean "lockWaitMs"\?/],
  [{ file: "./procedo.sqlite" }, /^SqliteStorage\.open has no option "file"; known are/],
  [{}, /^SqliteStorage\.open was given undefined as path\. Give a file's path\./],
  [{ path: "" }, /^SqliteStorage\.open was given an empty text as path/],
  ["./procedo.sqlite", /^SqliteStorage\.open takes an object with options\. It was given a string\./],
  [undefined, /^SqliteStorage\.open takes an object with options\. It was given undefined\./],
])("opening a storage with %o is refused in words", async (options, message) => {
  await expect(SqliteStorage.open(options as never)).rejects.toMatchObject({
    code: "invalid_configuration",
    message: expect.stringMatching(message) as string,
  });
});
