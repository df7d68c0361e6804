import { isNotStarted, loadProcedure, type Entry, type Intent, type Outcome } from "@procedo/procedure";
import { crashProcedure } from "../crash-procedure.ts";
import type { TracedRun } from "../evidence.ts";

const { nodes } = loadProcedure(crashProcedure);

/**
 * Whether a run has failed because one of its calls failed as often as its policy allows, with every attempt recorded.
 * Attempts that were certainly not started do not count. Pure.
 */
export function attemptsExhausted({ entries }: Pick<TracedRun, "entries">): boolean {
  const all = entries.map(({ entry }) => entry).filter(({ type }) => type !== "superseded");
  const [last, end] = [all.at(-2), all.at(-1)];
  if (end?.type !== "ended" || end.result.status !== "failed") return false;
  if (last?.type !== "outcome" || last.result.status !== "error" || last.retryAtMs !== undefined) return false;
  const isItsError = end.nodeId === last.nodeId && end.result.error === last.result.error.message;
  const node = nodes.get(last.nodeId);
  if (!isItsError || node?.kind !== "tool_call") return false;
  const intents = all.filter((entry): entry is Intent => entry.type === "intent" && isOfCall(entry, last));
  const outcomes = intents.map(({ attempt }) => all.find((entry) => isOutcomeOf(entry, last, attempt)));
  const failed = outcomes.filter((outcome) => outcome?.type === "outcome" && isRealFailure(outcome));
  const attempts = new Set(intents.map(({ attempt }) => attempt));
  return attempts.size === intents.length && failed.length === node.retry.maxAttempts;
}

function isOfCall({ nodeId, visit, call }: Intent | Outcome, of: Outcome): boolean {
  return nodeId === of.nodeId && visit === of.visit && call === of.call;
}

function isOutcomeOf(entry: Entry, of: Outcome, attempt: number): boolean {
  return entry.type === "outcome" && isOfCall(entry, of) && entry.attempt === attempt;
}

function isRealFailure({ result }: Outcome): boolean {
  return result.status !== "ok" && !isNotStarted(result);
}
