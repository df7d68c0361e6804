import { meantName, nameProblem, nearestName, normalName, type NodeReview } from "@procedo/contract";
import { jsonPointer } from "@procedo/contract/syntax";
import type { Graph } from "./graph.ts";
import { waysMissing } from "./reachability.ts";
import type { Report } from "./report.ts";

/** The review settings of a node: those of a human_review itself, or the `review` of another node. */
interface Asking {
  readonly position: number;
  /** JSON pointer of the settings. */
  readonly path: string;
  readonly id: string;
  readonly review: NodeReview;
}

/** An entry of `excludeApproversOf` that names a review. */
interface Excluding {
  readonly asking: Asking;
  readonly path: string;
  readonly named: Asking;
}

/**
 * Suggestions per document: the search for a similar name is slow, and a document with more wrong names has a larger
 * problem.
 */
const maxHints = 20;

/**
 * Checks reviewers: that their names are valid, that enough people may approve, and that excluded approvers refer to
 * earlier reviews.
 */
export function checkReviewers(graph: Graph, report: Report): void {
  const asking = graph.nodes.flatMap((_node, position) => askingOf(graph, position));
  for (const one of asking) {
    checkNames(one, report);
    checkCount(one, report);
  }
  const excluding = excludingOf(graph, asking, report);
  if (!graph.isCertain) return;
  const to = graph.exits.map((exits) => [...exits.values()]);
  const ways = excluding.map((one) => ({ ...one, from: one.named.position, to: one.asking.position }));
  const missing = waysMissing(ways, to);
  for (const way of ways) {
    if (missing.has(way)) {
      const message = `No way leads from "${way.named.id}" to "${way.asking.id}", so its approvers are never known there; remove it.`;
      report.error(way.path, "reviewers", message);
    } else checkRest(way, report);
  }
  for (const several of Map.groupBy(excluding, ({ asking: { position } }) => position).values()) {
    checkRestOfSeveral(several, report);
  }
}

function askingOf({ nodes }: Graph, position: number): readonly Asking[] {
  const { node, path, id } = nodes[position] ?? {};
  if (path === undefined || id === undefined) return [];
  if (node?.kind === "human_review") return [{ position, path, id, review: node }];
  if ((node?.kind !== "tool_call" && node?.kind !== "condition") || node.review === undefined) return [];
  return [{ position, path: path + jsonPointer(["review"]), id, review: node.review }];
}

function checkNames({ path, id, review }: Asking, report: Report): void {
  for (const list of ["roles", "people"] as const) {
    for (const [index, name] of (review.reviewers?.[list] ?? []).entries()) {
      const problem = nameProblem(name);
      if (problem === undefined) continue;
      const message = `A name among the ${list} of "${id}" ${problem}.`;
      report.error(path + jsonPointer(["reviewers", list, index]), "reviewers", message);
    }
  }
}

/** The people who alone may decide; `undefined` if roles or all reviewers may. */
function onlyPeople({ reviewers }: NodeReview): ReadonlySet<string> | undefined {
  const { roles = [], people = [] } = reviewers ?? {};
  return roles.length > 0 || people.length === 0 ? undefined : new Set(people.map(normalName));
}

function checkCount({ path, id, review }: Asking, report: Report): void {
  const { approvals = 1, excludeStarter = false } = review;
  const who = onlyPeople(review)?.size;
  if (who === undefined) return;
  const named = `"${id}" needs ${approvals} ${approvals === 1 ? "approval" : "approvals"} but names ${who} ${who === 1 ? "person" : "people"}`;
  if (who < approvals) {
    report.error(path + jsonPointer(["approvals"]), "node_settings", `${named}; name more, or a role.`);
  } else if (excludeStarter && who === approvals) {
    const message = `${named}: a run that one of them starts can never be approved. Name more, or a role.`;
    report.warning(path + jsonPointer(["excludeStarter"]), "reviewers", message);
  }
}

function excludingOf(graph: Graph, asking: readonly Asking[], report: Report): readonly Excluding[] {
  const reviews = new Map(asking.map((one) => [one.position, one]));
  const reviewIds = graph.nodes.flatMap(({ id, kind }) => (kind === "human_review" ? [id] : []));
  let hintsLeft = maxHints;
  return asking.flatMap((one) =>
    (one.review.excludeApproversOf ?? []).flatMap((id, index) => {
      const path = one.path + jsonPointer(["excludeApproversOf", index]);
      const position = graph.positions.get(id);
      const kind = position === undefined ? undefined : graph.nodes[position]?.kind;
      const named = position === undefined ? undefined : reviews.get(position);
      if (position === undefined) {
        hintsLeft -= 1;
        if (!graph.allIdsKnown && (hintsLeft < 0 || meantName(id, reviewIds) === undefined)) return [];
        const hint = hintsLeft >= 0 && reviewIds.length > 0 ? `; ${nearestName(id, reviewIds)}` : ".";
        report.error(path, "reviewers", `There is no node "${id}"${hint}`);
      } else if (id === one.id) {
        report.error(path, "reviewers", `"${id}" excludes its own approvers; name a human_review before it.`);
      } else if (kind !== undefined && kind !== "human_review") {
        report.error(path, "reviewers", `"${id}" is not a human_review; name one before "${one.id}".`);
      } else if (named !== undefined) {
        return [{ asking: one, path, named }];
      }
      return [];
    }),
  );
}

/** Checks that enough named people remain, even if as few others as possible approved the excluded review. */
function checkRest({ asking, named, path }: Excluding, report: Report): void {
  const left = mostLeft(asking, [named]);
  const { approvals = 1 } = asking.review;
  if (left === undefined || left >= approvals || !isComplete(asking)) return;
  const message = `After "${named.id}" is approved, ${left} of the people named by "${asking.id}" may approve, but it needs ${approvals}; name more, or a role.`;
  report.error(path, "reviewers", message);
}

/**
 * The same check for several reviews that have different approvers, because each excludes the others' approvers. A
 * warning, because a run may pass only some of them.
 */
function checkRestOfSeveral(several: readonly Excluding[], report: Report): void {
  const [first] = several;
  if (first === undefined) return;
  const { asking } = first;
  const apart: Asking[] = [];
  for (const { named } of several) {
    if (onlyPeople(named.review) !== undefined && apart.every((other) => areApart(named, other))) apart.push(named);
  }
  const left = mostLeft(asking, apart);
  const { approvals = 1 } = asking.review;
  const isKnown = apart.some((one) => (mostLeft(asking, [one]) ?? approvals) < approvals);
  if (apart.length < 2 || left === undefined || left >= approvals || isKnown || !isComplete(asking)) return;
  const names = apart.map(({ id }) => `"${id}"`).join(", ");
  const message = `After ${names} are approved, ${left} of the people named by "${asking.id}" may approve, but it needs ${approvals}; name more, or a role.`;
  report.warning(asking.path + jsonPointer(["excludeApproversOf"]), "reviewers", message);
}

/** Whether the same person cannot approve both reviews in one run. */
function areApart(one: Asking, other: Asking): boolean {
  const excludes = (asking: Asking, { id }: Asking) => asking.review.excludeApproversOf?.includes(id) === true;
  return one.id !== other.id && (excludes(one, other) || excludes(other, one));
}

/** Whether enough people are named. Otherwise, that error alone is reported. */
function isComplete({ review }: Asking): boolean {
  return (onlyPeople(review)?.size ?? Infinity) >= (review.approvals ?? 1);
}

/**
 * Maximum number of a review's named people who remain after reviews with different approvers; `undefined` if others
 * may decide as well.
 */
function mostLeft({ review }: Asking, before: readonly Asking[]): number | undefined {
  const people = onlyPeople(review);
  const named = before.map((one) => onlyPeople(one.review));
  if (people === undefined || named.includes(undefined)) return undefined;
  const all = new Set(named.flatMap((of) => [...(of ?? [])]));
  const others = [...all].filter((person) => !people.has(person)).length;
  const approvals = before.reduce((sum, one) => sum + (one.review.approvals ?? 1), 0);
  return people.size - Math.max(0, approvals - others);
}
