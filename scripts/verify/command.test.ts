import { expect, test } from "vitest";
import { runCommand } from "./command.ts";

const node = (code: string): readonly string[] => [process.execPath, "-e", code];

test("what a command prints on both streams is collected", async () => {
  const result = await runCommand(node("console.log('out'); console.error('err')"));
  expect(result.ok).toBe(true);
  expect(result.output).toContain("out\n");
  expect(result.output).toContain("err\n");
});

test("an exit code other than zero is a failure", async () => {
  expect(await runCommand(node("process.exit(3)"))).toMatchObject({ ok: false });
});

test("a command that does not exist is a failure that names it", async () => {
  const result = await runCommand(["no-such-program"]);
  expect(result).toMatchObject({ ok: false, output: expect.stringContaining("no-such-program") });
});

test("a command that passes its limit is ended, and says so", async () => {
  const result = await runCommand(node("setInterval(() => {}, 1000)"), { limitMs: 50 });
  expect(result).toMatchObject({ ok: false, output: expect.stringContaining("was ended by SIGKILL") });
});

test("a command that reads its input finds it closed", async () => {
  const result = await runCommand(node("process.stdin.resume().on('end', () => console.log('closed'))"));
  expect(result).toEqual({ ok: true, output: "closed\n" });
});
