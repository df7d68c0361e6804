import { expect, test } from "vitest";
import { createLog } from "./log.ts";
import { entries, payload, run } from "./run-entries.fixture.ts";
import { createRunLog } from "./run-log.ts";

function linesOf(
  level: "debug" | "info" | "silent",
  reported: typeof entries = entries,
): readonly Record<string, unknown>[] {
  const lines: string[] = [];
  createRunLog(createLog(level, { destination: { write: (line) => void lines.push(line) } }))(run, reported);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test("every line names its run, procedure and environment, and every step its node", () => {
  const lines = linesOf("debug");
  expect(lines).toHaveLength(entries.length);
  for (const line of lines) expect(line).toMatchObject({ runId: "run_1", environment: "sandbox" });
  expect(lines[4]).toMatchObject({ level: "debug", message: "Model answered.", attempt: 2, inputTokens: 100 });
  expect(lines[5]).toMatchObject({ level: "debug", message: "Call started.", nodeId: "pay", visit: 1, attempt: 1 });
});

test("tokens that the provider did not report are logged as estimates", () => {
  const estimated = entries.map((entry) => {
    if (entry.type !== "replied" || entry.result.status !== "ok") return entry;
    const usage = { inputTokens: 90, outputTokens: 30, estimated: ["inputTokens", "outputTokens"] as const };
    return { ...entry, result: { ...entry.result, reply: { ...entry.result.reply, usage } } };
  });
  const [, , , , answered] = linesOf("debug", estimated);
  expect(answered).toMatchObject({ inputTokens: 90, outputTokens: 30, estimated: "inputTokens, outputTokens" });
  expect(linesOf("debug")[4]).not.toHaveProperty("estimated");
});

test("at info, only events that may need attention are logged", () => {
  expect(linesOf("info").map(({ level, message }) => `${String(level)} ${String(message)}`)).toEqual([
    "info Model call failed.",
    "warn The outcome of a call is unknown.",
    "info Review requested.",
    "info Review closed.",
    "info Run failed.",
  ]);
  expect(linesOf("silent")).toEqual([]);
});

test("neither inputs nor outputs nor messages that may quote them are logged", () => {
  expect(JSON.stringify(linesOf("debug"))).not.toContain(payload);
});
