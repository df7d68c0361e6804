import { meantName, type HumanReviewNode } from "@procedo/contract";
import { jsonPointer } from "@procedo/contract/syntax";
import { findDominators, type Dominates } from "./dominators.ts";
import type { Graph } from "./graph.ts";
import { reachedFrom, reversed, waysMissing } from "./reachability.ts";
import type { Report } from "./report.ts";

/**
 * The nodes that the arguments of each tool_call read (`nodes.<id>`), by position. No entry if the arguments do not
 * compile.
 */
export type ReadsByPosition = ReadonlyMap<number, ReadonlySet<string>>;

interface Covering {
  readonly position: number;
  readonly path: string;
  readonly node: HumanReviewNode;
  readonly target: number;
}

/**
 * Suggestions per document: the search for a similar name is slow, and a document with more unknown names has a larger
 * problem.
 */
const maxHints = 50;

/**
 * Checks the calls that reviews cover: each is a tool_call after the review whose arguments can be rendered when the
 * review opens. They read nothing that exists only after the review, because the arguments that were shown and approved
 * are the ones that are sent.
 */
export function checkCovers(graph: Graph, reads: ReadsByPosition, report: Report): void {
  const calls = graph.nodes.flatMap(({ id, kind }) => (kind === "tool_call" ? [id] : []));
  let hintsLeft = maxHints;
  const meantCall = (name: string): string | undefined => {
    hintsLeft -= 1;
    return hintsLeft >= 0 ? meantName(name, calls) : undefined;
  };
  const covering = graph.nodes.flatMap((_node, position) => coveringOf(graph, position, meantCall, report));
  checkAnswers(graph, covering, report);
  const start = graph.nodes.findIndex(({ kind }) => kind === "start");
  if (covering.length === 0 || start === -1 || !graph.isCertain) return;

  const to = graph.exits.map((exits) => [...exits.values()]);
  const from = reversed(to);
  const circular = hasCircle(to, from);
  const ways = covering.map((one) => ({ ...one, from: one.position, to: one.target }));
  const unreached = waysMissing(ways, to);
  const dominates = findDominators(start, to);
  for (const way of ways) {
    const { position, path, node, target } = way;
    const name = `"${node.covers}"`;
    if (unreached.has(way)) {
      report.error(path, "covers", `No way leads from "${node.id}" to ${name}, so it can never be sent as approved.`);
      continue;
    }
    if (circular && leavesApprovalOver(position, target, to, from, dominates)) {
      report.error(
        path,
        "covers",
        `After "${node.id}" the run can loop back without sending ${name} and reach it on another path: the approval would then be used ` +
          `for a call that was not reviewed. Route every path back through ${name}, or through "${node.id}" again.`,
      );
      continue;
    }
    for (const root of reads.get(target) ?? []) {
      const readId = root.startsWith("nodes.") ? root.slice("nodes.".length) : undefined;
      const read = readId === undefined ? undefined : graph.positions.get(readId);
      if (read === undefined || !dominates(position, read)) continue;
      const why = read === position ? "is this review's own result" : "exists only after this review";
      report.error(
        path,
        "covers",
        `The arguments of ${name} read nodes.${readId}, which ${why}; map them from earlier data, or remove "covers".`,
      );
    }
  }
}

/** Reports reviewers of a covered call's own questions: the approvers of the covering review answer those. */
function checkAnswers({ nodes }: Graph, covering: readonly Covering[], report: Report): void {
  const reported = new Set<number>();
  for (const { node: review, target } of covering) {
    const covered = nodes[target];
    if (covered?.node?.kind !== "tool_call" || covered.node.review === undefined || reported.has(target)) continue;
    reported.add(target);
    const message = `"${review.id}" covers "${covered.id}", so its approvers also answer the questions of this call; remove the call's "review".`;
    report.error(covered.path + jsonPointer(["review"]), "covers", message);
  }
}

/**
 * Whether an approval can be given, stay unused, and be used later on a path that avoids its review. This is possible
 * if a node lies on a cycle that passes the review but not the covered call, and if the covered call can be reached
 * from that node without passing the review. A node that is reached only through the review is excluded: what follows
 * it was reviewed.
 */
function leavesApprovalOver(
  review: number,
  covered: number,
  to: readonly (readonly number[])[],
  from: readonly (readonly number[])[],
  dominates: Dominates,
): boolean {
  const exits = (to[review] ?? []).filter((next) => next !== covered);
  const after = reachedFrom(exits, without(to, covered));
  if (after[review] === 0) return false;
  const before = reachedFrom([review], without(from, covered));
  const pastReview = reachedFrom([covered], without(from, review));
  return after.some(
    (reached, node) =>
      node !== review &&
      node !== covered &&
      reached === 1 &&
      before[node] === 1 &&
      pastReview[node] === 1 &&
      !dominates(review, node),
  );
}

/** Whether the graph has a cycle: nodes without incoming edges are removed until only cycles remain. */
function hasCircle(to: readonly (readonly number[])[], from: readonly (readonly number[])[]): boolean {
  const waysIn = from.map((sources) => sources.length);
  const open = [...waysIn.keys()].filter((node) => waysIn[node] === 0);
  let taken = 0;
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    taken += 1;
    for (const next of to[node] ?? []) {
      const left = (waysIn[next] ?? 0) - 1;
      waysIn[next] = left;
      if (left === 0) open.push(next);
    }
  }
  return taken < to.length;
}

/** The graph without the edges into one node. */
function without(to: readonly (readonly number[])[], node: number): readonly (readonly number[])[] {
  return to.map((targets) => (targets.includes(node) ? targets.filter((target) => target !== node) : targets));
}

function coveringOf(
  graph: Graph,
  position: number,
  meantCall: (name: string) => string | undefined,
  report: Report,
): Covering[] {
  const draft = graph.nodes[position];
  const node = draft?.node;
  if (draft === undefined || node?.kind !== "human_review" || node.covers === undefined) return [];
  const path = draft.path + jsonPointer(["covers"]);
  const target = graph.positions.get(node.covers);
  const covered = target === undefined ? undefined : graph.nodes[target];
  if (target === undefined || covered === undefined) {
    const meant = meantCall(node.covers);
    const hint = meant === undefined ? "name a tool_call that follows the review." : `did you mean "${meant}"?`;
    if (meant !== undefined || graph.allIdsKnown)
      report.error(path, "covers", `There is no node "${node.covers}"; ${hint}`);
    return [];
  }
  if (covered.kind !== undefined && covered.kind !== "tool_call") {
    report.error(path, "covers", `"${node.covers}" is a ${covered.kind}; a review covers a tool_call.`);
    return [];
  }
  if (covered.node?.kind === "tool_call" && covered.node.instructions !== undefined) {
    report.error(
      path,
      "covers",
      `The arguments of "${node.covers}" are proposed by the agent after the review; use a guard with "otherwise": "review".`,
    );
    return [];
  }
  return [{ position, path, node, target }];
}
