import type { Environment, Review } from "../api/models.ts";
import { formatMoment, type TimeZone } from "../values/time.ts";
import { environmentNames, isEnvironment } from "./environment.ts";

/** Why the reader may not decide a review at present, as a sentence; `undefined` when they may. */
export function whyNot(
  { mayDecide, notBefore, status }: Pick<Review, "mayDecide" | "notBefore" | "status">,
  nowMs: number,
  zone: TimeZone,
): string | undefined {
  if (mayDecide.allowed) return undefined;
  if (status === "open" && notBefore !== undefined && Date.parse(notBefore) > nowMs) {
    return `The call may still be under way. Decide after ${formatMoment(notBefore, zone)}.`;
  }
  const permission = /^The request needs the permission "review" in (\w+)\.$/.exec(mayDecide.reason);
  const environment = permission?.[1] ?? "";
  return isEnvironment(environment) ? mayOnlyLook(environment) : mayDecide.reason;
}

/** Said to a person who manages nothing in the environment. `things`: what they may look at. */
export function mayNotManage(things: string, environment: Environment): string {
  return `You may look at ${things} in ${environmentNames[environment]}, and not change them. An owner can give you the role builder.`;
}

/** Said to a person who decides no reviews in the environment. */
export function mayOnlyLook(environment: Environment): string {
  return `You may look at reviews in ${environmentNames[environment]}, and not decide them. An owner can give you the role reviewer.`;
}
