import type { InvocationEvent } from "../connection/connection-state.ts";
import type { PrivateFunction } from "../functions/private-function.ts";
import type { Log, LogFields } from "../log.ts";
import { printable, printableStack } from "../printable.ts";

/** The log of the command: a readable line with the fields in parentheses. */
export function createStatusLog(write: (line: string) => void, writeError: (line: string) => void): Log {
  const line =
    (prefix: string, output: (line: string) => void) =>
    (message: string, fields: LogFields = {}): void => {
      const { error, ...rest } = fields;
      const named = Object.entries(rest).filter(([, value]) => value !== undefined);
      const details = named.map(([name, value]) => `${name} ${String(value)}`).join(", ");
      output(`${prefix}${printable(message)}${details === "" ? "" : ` (${printable(details)})`}`);
      if (error !== undefined) output(`  ${printableStack(String(error))}`);
    };
  return { info: line("", write), warn: line("Warning: ", writeError), error: line("Error: ", writeError) };
}

/** One line per function, with its name and its purpose. */
export function functionLines(functions: readonly PrivateFunction[]): readonly string[] {
  const width = Math.max(...functions.map(({ name }) => name.length));
  return functions.map(({ name, declaration: { description, idempotent, requiresReview } }) => {
    const manner = [
      idempotent ? "may be repeated" : "called at most once",
      ...(requiresReview ? ["after review"] : []),
    ];
    return printable(`  ${name.padEnd(width)}  ${manner.join(", ")}: ${description.split("\n")[0] ?? ""}`);
  });
}

export function invocationLine(event: InvocationEvent): string {
  const name = `${event.function} ${event.id}`;
  if (event.phase === "started") {
    return printable(`${name} started${event.runId === null ? "" : ` for ${event.runId}`}`);
  }
  const how = { ok: "done", error: "failed", none: "ended without a result" }[event.result];
  return printable(`${name} ${how} after ${event.durationMs} ms`);
}
