import { meantName, type HumanReviewNode } from "@procedo/contract";
import { pointerTo } from "../pointer.ts";
import { findDominators, type Dominates } from "./dominators.ts";
import type { Graph } from "./graph.ts";
import { reachedFrom, reversed, waysMissing } from "./reachability.ts";
import type { Report } from "./report.ts";

/** What the arguments of each tool_call read (`nodes.<id>`), by position; nothing where they do not compile. */
export type ReadsByPosition = ReadonlyMap<number, ReadonlySet<string>>;

interface Covering {
  readonly position: number;
  readonly path: string;
  readonly node: HumanReviewNode;
  readonly target: number;
}

/** Looking for a similar name takes a while; a document with more unknown names has another problem. */
const maxHints = 50;

/**
 * Checks what reviews cover: a tool_call further on, whose arguments can be rendered when the review opens. They read
 * nothing that exists only after the review, since what is shown and approved is what is sent.
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
        `After "${node.id}" the run can go back without sending ${name}, and reach it another way: the approval would be used ` +
          `for a call that nobody looked at. Lead every way back through ${name}, or through "${node.id}" again.`,
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
        `The arguments of ${name} read nodes.${readId}, which ${why}; map them from what is known before, or remove "covers".`,
      );
    }
  }
}

/** A call that a review covers names nobody else for its questions: its approvers answer them. */
function checkAnswers({ nodes }: Graph, covering: readonly Covering[], report: Report): void {
  const reported = new Set<number>();
  for (const { node: review, target } of covering) {
    const covered = nodes[target];
    if (covered?.node?.kind !== "tool_call" || covered.node.review === undefined || reported.has(target)) continue;
    reported.add(target);
    const message = `"${review.id}" covers "${covered.id}", so who approves there answers what this call asks; remove its "review".`;
    report.error(covered.path + pointerTo("review"), "covers", message);
  }
}

/**
 * Whether an approval can be given, left unused, and met again on a way that does not pass its review: some node lies on
 * a circle through the review that avoids what is covered, and what is covered can be reached from it past the review.
 * Not a node to which every way leads through the review: what comes after it is what was looked at.
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

/** Whether any way leads back to where it came from: nodes are taken away until only circles are left. */
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

/** The graph without the ways that lead to a node. */
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
  const path = draft.path + pointerTo("covers");
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
