import { expect, test } from "vitest";
import { createStatusLog, invocationLine } from "./status-lines.ts";

const hostile = "a\n\u001b[2J\r\u009b\u202e\u2028b";
const shown = "a\\u{a}\\u{1b}[2J\\u{d}\\u{9b}\\u{202e}\\u{2028}b";

test("a text of the service stays on one line and cannot control the terminal", () => {
  const lines: string[] = [];
  const log = createStatusLog(
    (line) => lines.push(line),
    (line) => lines.push(line),
  );
  log.warn(hostile, { invocation: hostile, error: hostile });
  expect(lines).toEqual([`Warning: ${shown} (invocation ${shown})`, `  ${shown}`]);
  expect(invocationLine({ phase: "started", id: hostile, function: hostile, runId: hostile })).toBe(
    `${shown} ${shown} started for ${shown}`,
  );
});

test("only the frames of a stack keep their lines", () => {
  const lines: string[] = [];
  const log = createStatusLog(
    (line) => lines.push(line),
    (line) => lines.push(line),
  );
  log.error("Failed.", { error: "Error: a\nb\n    at f (x.ts:1:2)\n    at g" });
  expect(lines).toEqual(["Error: Failed.", "  Error: a\\u{a}b\n    at f (x.ts:1:2)\n    at g"]);
});
