import { expect, test } from "vitest";
import { runCommand } from "./command.ts";

const node = (code: string): readonly string[] => [process.execPath, "-e", code];

test("collects the output of a command on both streams", async () => {
  const result = await runCommand(node("console.log('out'); console.error('err')"));
  expect(result.ok).toBe(true);
  expect(result.output).toContain("out\n");
  expect(result.output).toContain("err\n");
});

test("treats a nonzero exit code as a failure", async () => {
  expect(await runCommand(node("process.exit(3)"))).toMatchObject({ ok: false });
});

test("treats a missing command as a failure that names the command", async () => {
  const result = await runCommand(["no-such-program"]);
  expect(result).toMatchObject({ ok: false, output: expect.stringContaining("no-such-program") });
});

test("ends a command at its time limit, and reports the limit", async () => {
  const result = await runCommand(node("setInterval(() => {}, 1000)"), { limitMs: 50 });
  expect(result).toMatchObject({ ok: false, output: expect.stringContaining("was ended by SIGKILL") });
});

test("runs a command with closed input", async () => {
  const result = await runCommand(node("process.stdin.resume().on('end', () => console.log('closed'))"));
  expect(result).toEqual({ ok: true, output: "closed\n" });
});
