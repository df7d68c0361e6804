import type { ReviewRules } from "@procedo/procedure";
import type { Principal } from "./principal.ts";

/** Why this person may not decide this review; `undefined` when they may. Pure; the rules count at decision time. */
export function mayNotDecide(rules: ReviewRules, principal: Principal): string | undefined {
  if (rules.excludes !== undefined && rules.excludes === principal.person) {
    return "The person who started the run may not decide this review.";
  }
  if (rules.roles.length === 0 && rules.people.length === 0) return undefined;
  if (rules.people.includes(principal.person)) return undefined;
  if (principal.roles?.some((role) => rules.roles.includes(role)) === true) return undefined;
  const wanted = [...rules.roles.map((role) => `role "${role}"`), ...rules.people.map((person) => `"${person}"`)];
  return `This review can be decided by ${wanted.join(", ")} only.`;
}
