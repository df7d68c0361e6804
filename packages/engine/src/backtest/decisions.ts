import { normalName, type JsonObject, type JsonValue } from "@procedo/contract";
import type { Entry, OpenReview, RunResult } from "@procedo/procedure";
import { callPath, visitPath } from "./entry-path.ts";

/** A version's decisions in a run: its path, its calls with their arguments, its reviews, its events and its result. */
export interface Decisions {
  /** Ids of the nodes, in the order in which the run reached them. */
  readonly path: readonly string[];
  /** By node and visit. */
  readonly branches: ReadonlyMap<string, string>;
  /** By node, visit and number of the call. */
  readonly calls: ReadonlyMap<string, DecidedCall>;
  /** By node, visit, kind and number. */
  readonly reviews: ReadonlyMap<string, DecidedReview>;
  /** By node and visit. */
  readonly events: ReadonlyMap<string, DecidedEvent>;
  /** `undefined`: the run has not ended. */
  readonly result: RunResult | undefined;
  /** The number of entries that are decisions. */
  readonly count: number;
}

export interface DecidedCall {
  readonly nodeId: string;
  readonly connection: string;
  readonly action: string;
  readonly arguments: JsonObject;
}

export interface DecidedReview {
  readonly nodeId: string;
  readonly kind: OpenReview["kind"];
  /** The review's content, its rules about reviewers, and its duration. */
  readonly shown: JsonObject;
}

export interface DecidedEvent {
  readonly nodeId: string;
  readonly event: string;
  readonly payload: JsonObject;
}

/** The decisions in a run's entries, without anything that came from outside. Pure. */
export function decisionsIn(entries: readonly Entry[]): Decisions {
  const path: string[] = [];
  const visited = new Set<string>();
  const branches = new Map<string, string>();
  const calls = new Map<string, DecidedCall>();
  const reviews = new Map<string, DecidedReview>();
  const events = new Map<string, DecidedEvent>();
  let result: RunResult | undefined;
  let count = 0;
  const arrive = (entry: { readonly nodeId: string; readonly visit: number }): string => {
    const place = visitPath(entry);
    if (!visited.has(place)) path.push(entry.nodeId);
    visited.add(place);
    return place;
  };
  for (const entry of entries) {
    if (decides.has(entry.type)) count += 1;
    switch (entry.type) {
      case "started":
        path.push("start");
        break;
      case "branch_taken":
        branches.set(arrive(entry), entry.branch);
        break;
      case "intent": {
        arrive(entry);
        const { nodeId, frozen } = entry;
        const { connection, action, args } = frozen;
        calls.set(callPath(entry), { nodeId, connection, action, arguments: args });
        break;
      }
      case "review_opened": {
        const place = arrive(entry);
        const { nodeId, atMs, review } = entry;
        const { kind } = review;
        let number = 1;
        while (reviews.has(`${place}/${kind}/${number}`)) number += 1;
        reviews.set(`${place}/${kind}/${number}`, { nodeId, kind, shown: shownOf(review, atMs) });
        break;
      }
      case "emitted": {
        const { nodeId, event, payload } = entry;
        events.set(arrive(entry), { nodeId, event, payload });
        break;
      }
      case "prompted":
      case "concluded":
      case "node_failed":
        arrive(entry);
        break;
      case "ended":
        if (entry.result.status === "completed" && entry.nodeId !== undefined) path.push(entry.nodeId);
        ({ result } = entry);
        break;
      default:
        break;
    }
  }
  return { path, branches, calls, reviews, events, result, count };
}

const decides: ReadonlySet<Entry["type"]> = new Set([
  ...(["branch_taken", "prompted", "concluded", "intent", "node_failed", "review_opened", "emitted", "ended"] as const),
]);

/** A review's content and rules, without ids and with durations in place of times. */
function shownOf({ title, data, call, rules }: OpenReview, atMs: number): JsonObject {
  const { approvals, excludes, excludesApproversOf, expiresAtMs, outputs } = rules;
  const rule: { readonly [name: string]: JsonValue } = {
    roles: rules.roles.map(normalName),
    people: rules.people.map(normalName),
    approvals,
    outputs,
    ...(excludes !== undefined && { excludes: normalName(excludes) }),
    ...(excludesApproversOf !== undefined && { excludesApproversOf }),
    ...(expiresAtMs !== undefined && { expiresAfterMs: expiresAtMs - atMs }),
  };
  const covered = call && { connection: call.connection, action: call.action, arguments: call.args };
  return { title, data, rules: rule, ...(covered !== undefined && { call: covered }) };
}
