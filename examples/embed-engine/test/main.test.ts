import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "procedo-embed-engine-"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the example like a reader, in a separate folder. */
async function runExample(): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=@procedo/source", main], {
    cwd: folder,
  });
  return stdout;
}

test("the README's first example runs a procedure and reads its record, repeatedly on the same file", async () => {
  const first = await runExample();
  expect(first).toContain("status: 'completed'");
  expect(first).toContain("output: { receipt: '12.50 EUR: pay_1250' }");
  expect(first).toContain("nodeId: 'pay'");
  const second = await runExample();
  expect(second).toContain("status: 'completed'");
  expect(/run_\w+/.exec(second)?.[0]).not.toBe(/run_\w+/.exec(first)?.[0]);
});

test("the first example is at most 25 lines long", async () => {
  const text = await readFile(main, "utf8");
  expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(25);
});
