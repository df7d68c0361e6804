import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parseObject, readText } from "./read-input.ts";

test("a duplicate member in a file is rejected with its path", () => {
  expect(() => parseObject('{"data":{"amount":1,"amount":2}}', "The file")).toThrow(
    expect.objectContaining({
      code: "invalid_input",
      message: 'The file has the member "/data/amount" twice. Keep one.',
    }),
  );
});

test("a file that begins with a byte order mark is read without it, and one in another charset is refused", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "procedo-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, "payment.json");
  const utf16 = Buffer.from('\ufeff{"a":1}', "utf16le");
  for (const written of ['\ufeff{"a":1}', utf16, Buffer.from(utf16).swap16()]) {
    await writeFile(file, written);
    expect(parseObject(await readText(file, stdin("")), "The document")).toEqual({ a: 1 });
  }
  await writeFile(file, Buffer.from('{"a":"Müller"}', "latin1"));
  await expect(readText(file, stdin(""))).rejects.toThrow("is not text in UTF-8; save it as UTF-8.");
});

test("- reads standard input", async () => {
  expect(parseObject(await readText("-", stdin('{"a":1}')), "The document")).toEqual({ a: 1 });
});

test("invalid JSON is rejected with the lines and columns of its errors", () => {
  expect(() => parseObject('{\n  "a": 1,\n}', "The file")).toThrow(
    expect.objectContaining({
      message: "The file is not JSON.",
      details: [{ path: "line 2, column 9", message: 'There is a comma before "}"; remove it.' }],
    }),
  );
});

async function* stdin(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
