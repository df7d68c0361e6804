import { expect, test } from "vitest";
import { createCommandContext } from "./command-context.ts";
import { runCommand } from "./run-command.ts";

const hostile = "paid\n\u001b[2J\u009b1A\r\u202egnp\u2028\u200b\ud800";

function printing() {
  const printed: string[] = [];
  const stdout = { write: (text: string) => void printed.push(text) };
  return { printed, context: createCommandContext({ env: {}, integrations: [], stdin: process.stdin, stdout }) };
}

test("untrusted text stays on one line and cannot control the terminal", () => {
  const { printed, context } = printing();
  context.print(hostile, "next");
  expect(printed.join("")).toBe("paid\\u{a}\\u{1b}[2J\\u{9b}1A\\u{d}\\u{202e}gnp\\u{2028}\\u{200b}\\u{d800}\nnext\n");
});

test("JSON output keeps its value and cannot control the terminal", () => {
  const { printed, context } = printing();
  context.printJson({ [hostile]: hostile });
  const text = printed.join("");
  expect(JSON.parse(text)).toEqual({ [hostile]: hostile });
  expect(text).not.toMatch(/[^\n -~]/);
});

test("an error is printed on one line, including quoted text", async () => {
  const reported: string[] = [];
  const stderr = { write: (text: string) => void reported.push(text) };
  const argv = ["procedures", "validate", `/nowhere/${hostile}`];
  expect(await runCommand({ argv, env: {}, stdout: { write: () => {} }, stderr })).toBe(1);
  expect(reported.join("")).toMatch(/^Error[^\n]*\n$/);

  expect(reported.join("")).not.toMatch(/[\u001b\u009b\u202e]/);
});
