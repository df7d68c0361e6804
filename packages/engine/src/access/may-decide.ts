import { normalName } from "@procedo/contract";
import type { ReviewRules } from "@procedo/procedure";
import type { Principal } from "./principal.ts";

/** An approval of another review of the run, with the node that had opened that review. */
export interface EarlierApproval {
  readonly nodeId: string;
  readonly person: string;
}

/**
 * The reason why this person may not decide this review; `undefined` when they may. Pure. The rules apply at the time
 * of the decision. Names are compared in their normal form.
 *
 * @param earlier all approvals of the run's other reviews; needed when the rules exclude the approvers of other nodes
 */
export function mayNotDecide(
  rules: ReviewRules,
  principal: Principal,
  earlier: readonly EarlierApproval[],
): string | undefined {
  const person = normalName(principal.person);
  if (rules.excludes !== undefined && normalName(rules.excludes) === person) {
    return "The person who started the run may not decide this review.";
  }
  const approved = earlier.find(
    (approval) => rules.excludesApproversOf?.includes(approval.nodeId) && normalName(approval.person) === person,
  );
  if (approved !== undefined) {
    return `The people who approved "${approved.nodeId}" in this run may not decide this review.`;
  }
  if (rules.roles.length === 0 && rules.people.length === 0) return undefined;
  if (rules.people.some((named) => normalName(named) === person)) return undefined;
  const wantedRoles = new Set(rules.roles.map(normalName));
  if (principal.roles?.some((role) => wantedRoles.has(normalName(role))) === true) return undefined;
  const wanted = [...rules.roles.map((role) => `role "${role}"`), ...rules.people.map((named) => `"${named}"`)];
  return `This review can be decided by ${wanted.join(", ")} only.`;
}
