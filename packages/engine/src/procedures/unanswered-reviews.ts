import { normalName, procedureDocumentSchema } from "@procedo/contract";
import type { Environment, NodeReview } from "@procedo/contract";
import type { Problem } from "@procedo/procedure";
import type { KeyReviewer, KeyReviewers } from "../keys/key-reviewers.ts";
import type { CheckedWhere } from "./surroundings.ts";

/** A node's rule about its reviewers, and its place in the document. */
interface Asking {
  /** JSON pointer of the rule. */
  readonly path: string;
  readonly nodeId: string;
  readonly review: NodeReview;
}

/**
 * Warnings about reviews that no person can complete through the API with the present accounts and keys: roles and
 * people without the permission `review`, and more approvals than there are people. Code that embeds the engine may let other
 * people decide, so none of this is an error. Pure.
 *
 * @param where a version that becomes no default may be intended for any environment of the caller: it gets only
 *   warnings that hold in all of them
 */
export function unansweredReviews(
  document: unknown,
  reviewers: KeyReviewers,
  { defaultIn, reach }: CheckedWhere,
): readonly Problem[] {
  const searched = defaultIn.length > 0 ? defaultIn : reach;
  return askingIn(document).flatMap((asking) => {
    const found = searched.map((environment) => unanswered(asking, environment, reviewers[environment]));
    const isAnswered = defaultIn.length === 0 && found.some((problems) => problems.length === 0);
    return isAnswered ? [] : found.flat();
  });
}

/** Whether any node has a rule about its reviewers. */
export function hasReviews(document: unknown): boolean {
  return askingIn(document).length > 0;
}

const { nodes: nodesSchema } = procedureDocumentSchema.shape;

/** The rules in a document of any shape; nodes with a wrong shape are skipped. */
function askingIn(document: unknown): readonly Asking[] {
  const nodes = isRecord(document) && Array.isArray(document["nodes"]) ? (document["nodes"] as unknown[]) : [];
  return nodes.flatMap((given, index) => {
    if (!isRecord(given) || (given["kind"] !== "human_review" && given["review"] === undefined)) return [];
    const node = nodesSchema.element.safeParse(given).data;
    const path = `/nodes/${index}`;
    if (node?.kind === "human_review") return [{ path, nodeId: node.id, review: node }];
    if ((node?.kind !== "tool_call" && node?.kind !== "condition") || node.review === undefined) return [];
    return [{ path: `${path}/review`, nodeId: node.id, review: node.review }];
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function unanswered(
  { path, nodeId, review }: Asking,
  environment: Environment,
  reviewers: readonly KeyReviewer[],
): readonly Problem[] {
  const { roles = [], people = [] } = review.reviewers ?? {};
  const warning = (at: string, missing: string, needs: string): Problem => ({
    severity: "warning",
    path: path + at,
    code: "reviewers",
    nodeId,
    message: `${missing}. Invite a person, or create an API key of ${environment} with the permission "review"${needs}.`,
  });
  const heldRoles = new Set(reviewers.flatMap((reviewer) => reviewer.roles));
  const persons = new Set(reviewers.map(({ person }) => person));
  const missing = [
    ...roles.flatMap((role, index) => {
      if (heldRoles.has(normalName(role))) return [];
      const what = `No reviewer of ${environment} has the role "${role}" of "${nodeId}"`;
      return [warning(`/reviewers/roles/${index}`, what, roleNeeded(role))];
    }),
    ...people.flatMap((person, index) => {
      if (persons.has(normalName(person))) return [];
      const what = `"${nodeId}" names "${person}", who has the permission "review" in ${environment} neither by an account nor by an API key`;
      return [warning(`/reviewers/people/${index}`, what, ` that acts as "${person}"`)];
    }),
  ];
  if (missing.length > 0) return missing;

  const { approvals = 1 } = review;
  const wanted = { roles: new Set(roles.map(normalName)), people: new Set(people.map(normalName)) };
  const isOpen = roles.length === 0 && people.length === 0;
  const may = reviewers.filter(
    ({ person, roles: held }) => isOpen || wanted.people.has(person) || held.some((role) => wanted.roles.has(role)),
  ).length;
  if (may >= approvals) return [];
  const have = may === 0 ? "no one has" : may === 1 ? "one person has" : `${may} people have`;
  const what = `"${nodeId}" needs ${approvals} ${approvals === 1 ? "approval" : "approvals"}, and ${have} an account or API key of ${environment} that can give one`;
  const needs = roles[0] === undefined || wanted.roles.has("reviewer") ? "" : roleNeeded(roles[0]);
  return [warning(review.approvals === undefined ? "" : "/approvals", what, needs)];
}

/** Every key that may review has the role of reviewers. */
function roleNeeded(role: string): string {
  return normalName(role) === "reviewer" ? "" : ` and the role "${role}"`;
}
