import type { JsonObject, JsonValue } from "@procedo/contract";
import type { RunResult } from "@procedo/procedure";
import { describeDifference, jsonDifferences } from "../json/json-differences.ts";
import type { DecidedEvent, Decisions } from "./decisions.ts";
import type { Divergence, Reused } from "./replay-run.ts";

/** One difference between the record and the replay with another version. */
export interface BacktestDifference {
  /**
   * The part of the run that differs. `input`: the run's data does not fit the input. `path`: the nodes visited. `arguments`: the arguments of a call. `review`: a
   * review or its content. `event`: a custom event.
   * `result`: the end of the run. `prompt`: a prompt to a model. `record`: the record has no answer for a request.
   */
  readonly kind: "input" | "path" | "arguments" | "review" | "event" | "result" | "prompt" | "record";
  /** The node that differs; `undefined` if the run as a whole differs. */
  readonly nodeId: string | undefined;
  /** One line for people, with the values that differ. */
  readonly message: string;
  /** The message without values, equal for many runs. */
  readonly summary: string;
}

/** The differences between a run's record and its replay with another version. Pure. */
export function compareDecisions(
  before: Decisions,
  after: Decisions,
  end: { readonly diverged: Divergence | undefined; readonly reused: readonly Reused[] },
): readonly BacktestDifference[] {
  // After a divergence the record does not show how the run would have continued.
  const isWhole = end.diverged === undefined;
  return [
    ...pathDifferences(before, after, isWhole),
    ...callDifferences(before, after),
    ...reviewDifferences(before, after, isWhole),
    ...eventDifferences(before, after, isWhole),
    ...end.reused.filter(({ what }) => what === "reply").map(promptDifference),
    ...(isWhole ? resultDifferences(before.result, after.result) : []),
    ...(end.diverged === undefined ? [] : [divergenceDifference(end.diverged)]),
  ];
}

function pathDifferences(before: Decisions, after: Decisions, isWhole: boolean): readonly BacktestDifference[] {
  const at = after.path.findIndex((nodeId, index) => before.path[index] !== nodeId);
  const cut = isWhole && after.path.length < before.path.length ? after.path.length : -1;
  const index = at === -1 ? cut : at;
  if (index === -1) return branchDifferences(before, after);
  const from = after.path[index - 1] ?? "start";
  const was = before.path[index] ?? "its end";
  const is = after.path[index] ?? "its end";
  return [
    {
      kind: "path",
      nodeId: from,
      message: `"${from}" leads to "${is}" instead of "${was}": ${pathText(after.path)} instead of ${pathText(before.path)}`,
      summary: `"${from}" leads to "${is}" instead of "${was}"`,
    },
  ];
}

/** Differences between branches that lead to the same node. */
function branchDifferences(before: Decisions, after: Decisions): readonly BacktestDifference[] {
  return [...after.branches].flatMap(([place, branch]) => {
    const was = before.branches.get(place);
    const nodeId = place.split("/")[0] ?? "";
    if (was === undefined || was === branch) return [];
    const message = `"${nodeId}" takes the branch "${branch}" instead of "${was}"`;
    return [{ kind: "path" as const, nodeId, message, summary: message }];
  });
}

function callDifferences(before: Decisions, after: Decisions): readonly BacktestDifference[] {
  return [...after.calls].flatMap(([place, call]) => {
    const was = before.calls.get(place);
    if (was === undefined) return [];
    const { nodeId } = call;
    if (was.connection !== call.connection || was.action !== call.action) {
      const message = `"${nodeId}" calls "${call.connection}.${call.action}" instead of "${was.connection}.${was.action}"`;
      return [{ kind: "arguments" as const, nodeId, message, summary: message }];
    }
    return changes("arguments", nodeId, "is called with other arguments", was.arguments, call.arguments);
  });
}

function reviewDifferences(before: Decisions, after: Decisions, isWhole: boolean): readonly BacktestDifference[] {
  const now = [...after.reviews].flatMap(([place, review]) => {
    const was = before.reviews.get(place);
    const { nodeId, kind, shown } = review;
    if (was !== undefined) return changes("review", nodeId, "shows other content to its reviewers", was.shown, shown);
    const summary = `a review is needed at "${nodeId}" (${kind})`;
    return [{ kind: "review" as const, nodeId, message: `${summary}: ${titleOf(shown)}`, summary }];
  });
  const noLonger = [...before.reviews].flatMap(([place, { nodeId, kind, shown }]) => {
    if (!isWhole || after.reviews.has(place)) return [];
    const summary = `a review is no longer needed at "${nodeId}" (${kind})`;
    return [{ kind: "review" as const, nodeId, message: `${summary}: ${titleOf(shown)}`, summary }];
  });
  return [...now, ...noLonger];
}

function eventDifferences(before: Decisions, after: Decisions, isWhole: boolean): readonly BacktestDifference[] {
  const places = new Set([...after.events.keys(), ...(isWhole ? before.events.keys() : [])]);
  return [...places].flatMap((place) => {
    const was = before.events.get(place);
    const is = after.events.get(place);
    const nodeId = place.split("/")[0] ?? "";
    if (was !== undefined && is !== undefined && was.event === is.event) {
      return changes("event", nodeId, `emits another payload with "${is.event}"`, was.payload, is.payload);
    }
    const message = `"${nodeId}" ${[...eventLines(is, "emits"), ...eventLines(was, "does not emit")].join(", and ")}`;
    return [{ kind: "event" as const, nodeId, message, summary: message }];
  });
}

function eventLines(event: DecidedEvent | undefined, verb: string): readonly string[] {
  return event === undefined ? [] : [`${verb} "${event.event}"`];
}

function resultDifferences(before: RunResult | undefined, after: RunResult | undefined): readonly BacktestDifference[] {
  const was = resultText(before);
  const is = resultText(after);
  if (was.status !== is.status) {
    const summary = `the run is ${is.status} instead of ${was.status}`;
    return [{ kind: "result", nodeId: undefined, message: `${summary}${is.because}`, summary }];
  }
  if (before?.status === "failed" && after?.status === "failed" && before.error !== after.error) {
    const message = `the run fails with ${JSON.stringify(after.error)} instead of ${JSON.stringify(before.error)}`;
    return [{ kind: "result", nodeId: undefined, message, summary: "the run fails with another error" }];
  }
  if (before?.status !== "completed" || after?.status !== "completed") return [];
  return changes("result", undefined, "the run has another output", before.output, after.output);
}

function resultText(result: RunResult | undefined): { readonly status: string; readonly because: string } {
  if (result === undefined) return { status: "open", because: "" };
  return { status: result.status, because: result.status === "failed" ? `: ${result.error}` : "" };
}

function promptDifference({ nodeId }: Reused): BacktestDifference {
  const message = `the agent of "${nodeId}" gets another prompt; its recorded reply was used`;
  return { kind: "prompt", nodeId, message, summary: message };
}

function divergenceDifference({ nodeId, why }: Divergence): BacktestDifference {
  const summary = `the record ends at "${nodeId}"`;
  return { kind: "record", nodeId, message: `${summary}: ${why}`, summary };
}

const mostChanges = 10;

function changes(
  kind: BacktestDifference["kind"],
  nodeId: string | undefined,
  what: string,
  before: JsonObject,
  after: JsonObject,
): readonly BacktestDifference[] {
  const found = jsonDifferences(before, after);
  if (found.length === 0) return [];
  const summary = nodeId === undefined ? what : `"${nodeId}" ${what}`;
  const shown = found.slice(0, mostChanges).map(describeDifference);
  const more = found.length > shown.length ? [`and ${found.length - shown.length} more`] : [];
  return [{ kind, nodeId, message: `${summary}: ${[...shown, ...more].join("; ")}`, summary }];
}

function pathText(path: readonly string[]): string {
  return path.join(" > ");
}

function titleOf({ title }: { readonly title?: JsonValue }): string {
  return JSON.stringify(title ?? "");
}
