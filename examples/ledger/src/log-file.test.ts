import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openLogFile } from "./log-file.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ledger-test-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("hands lines to the operating system at once, and returns them on the next opening", async () => {
  const path = join(folder, "deep", "log.jsonl");
  const { file } = openLogFile(path);
  file.append("one");
  file.append("zwölf");
  expect(readFileSync(path, "utf8")).toBe("one\nzwölf\n");
  await file.close();
  const again = openLogFile(path);
  expect(again.lines).toEqual(["one", "zwölf"]);
  await again.file.close();
});

test("removes a last line without a newline, and writes the next line in its place", async () => {
  const path = join(folder, "log.jsonl");
  appendFileSync(path, "one\ntw");
  const { file, lines } = openLogFile(path);
  expect(lines).toEqual(["one"]);
  file.append("three");
  await file.close();
  expect(readFileSync(path, "utf8")).toBe("one\nthree\n");
});

test("lets callers during a flush share the next flush, which starts afterwards", async () => {
  const flushes: PromiseWithResolvers<void>[] = [];
  const { file } = openLogFile(join(folder, "log.jsonl"), () => {
    const flush = Promise.withResolvers<void>();
    flushes.push(flush);
    return flush.promise;
  });
  const first = file.durable();
  await expect.poll(() => flushes.length).toBe(1);
  let shared = 0;
  const others = Array.from({ length: 100 }, () => file.durable().then(() => (shared += 1)));
  flushes[0]?.resolve();
  await first;
  await expect.poll(() => flushes.length).toBe(2);
  expect(shared).toBe(0);
  flushes[1]?.resolve();
  await Promise.all(others);
  expect([shared, flushes.length]).toEqual([100, 2]);
});

test("rejects every durability request after a failed flush", async () => {
  let failing = true;
  const { file } = openLogFile(join(folder, "log.jsonl"), async () => {
    if (failing) throw new Error("EIO");
  });
  await expect(file.durable()).rejects.toThrow("EIO");
  failing = false;
  await expect(file.durable()).rejects.toThrow("EIO");
});
