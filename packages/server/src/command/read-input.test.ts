import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parseObject, readTextFile } from "./read-input.ts";

test("a member that stands twice in a file is refused with its place", () => {
  expect(() => parseObject('{"data":{"amount":1,"amount":2}}', "The file")).toThrow(
    expect.objectContaining({
      code: "invalid_input",
      message: 'The file has the member "/data/amount" twice. Keep one.',
    }),
  );
});

test("a file that begins with a byte order mark is read without it", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "procedo-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, "payment.json");
  await writeFile(file, '\ufeff{"a":1}');
  expect(parseObject(await readTextFile(file), "The document")).toEqual({ a: 1 });
});
