import { next, resume, type Cursor, type RunLimits, type Step } from "@procedo/procedure";
import type { Clock } from "../ports/clock.ts";
import type { ActiveRun } from "./active-run.ts";
import { isWaitOver, waitSinceMs } from "./wait-over.ts";

/** Maximum bytes of memory per byte of a journal. Ordinary rows take four to six, rows of `{},` more than twenty. */
const memoryPerByte = 8;

/** The run's next step. A wait that is over resumes the run, and a journal over its limit ends the run. */
export function nextStep(ports: { readonly clock: Clock; readonly limits: RunLimits }, run: ActiveRun): Step {
  const { cursor } = run.state;
  const { limits } = ports;
  if (mayEndHere(cursor) && run.writer.head.bytes > limits.runBytes) {
    const error = `The run reached its limit of ${limits.runBytes} bytes for all steps together.`;
    return { do: "end", result: { status: "failed", error }, nodeId: cursor.nodeId };
  }
  if (mayEndHere(cursor) && run.journalMemory > limits.runBytes * memoryPerByte) {
    const error = `The run reached its limit of ${limits.runBytes * memoryPerByte} bytes of memory: its steps have too many objects and lists.`;
    return { do: "end", result: { status: "failed", error }, nodeId: cursor.nodeId };
  }
  const step = next(run.procedure, run.state, limits);
  if (step.do !== "wait" || step.review !== undefined || step.untilMs === undefined) return step;
  const wait = { sinceMs: waitSinceMs(cursor), untilMs: step.untilMs };
  return isWaitOver(run, wait, ports.clock.now()) ? resume(run.procedure, run.state, limits) : step;
}

type Harmless = "node" | "asking" | "model_backoff" | "replied" | "answered" | "ready" | "backoff" | "emit";

/** Whether a limit may end a run here: not while an outcome is pending or uncertain, or a question is open. */
function mayEndHere(cursor: Cursor): cursor is Extract<Cursor, { at: Harmless }> {
  switch (cursor.at) {
    case "node":
    case "asking":
    case "model_backoff":
    case "replied":
    case "answered":
    case "emit":
      return true;
    case "ready":
    case "backoff":
      return cursor.call.uncertainReason === undefined;
    default:
      return false;
  }
}
