import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { archiveFolder } from "./archive-folder.ts";

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "procedo-archive-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("a file is written completely, and its missing folders are created", async () => {
  const folder = join(newFolder(), "records", "2026");
  const lines = ["{}\n", `"${"ä".repeat(500_000)}"\n`];
  await archiveFolder(folder).write("runs.jsonl", each(lines));
  expect(readFileSync(join(folder, "runs.jsonl"), "utf8")).toBe(lines.join(""));
  expect(readdirSync(folder)).toEqual(["runs.jsonl"]);
});

test("a disk that fills up within the last line causes an error and leaves no file", async () => {
  const folder = newFolder();
  const script = `
    import { archiveFolder } from ${JSON.stringify(new URL("archive-folder.ts", import.meta.url).href)};
    async function* lines() { yield "x".repeat(1024 * 1024); }
    await archiveFolder(${JSON.stringify(folder)}).write("runs.jsonl", lines()).then(
      () => console.log("written"), (error) => console.log(error.code, error.message));`;
  const node = [process.execPath, "--conditions=@procedo/source", "--input-type=module", "--eval", script];
  const { stdout } = await promisify(execFile)("sh", ["-c", 'ulimit -f 256; exec "$@"', "sh", ...node]);
  expect(stdout).toMatch(/^storage_unavailable .*Nothing outside the archive was deleted/);
  expect(readdirSync(folder)).toEqual([]);
});

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  for (const line of lines) yield line;
}
