import type { CallResult, Intent } from "./journal.ts";

/*
 * The attempts of a call as its retry policy counts them. Pure.
 */

/**
 * Whether this attempt ended before its call had begun: its worker had to stop, or was too late, and nothing left it. Then
 * nobody was asked, so it takes nothing from what the policy or the run allows, and the next one needs no leave.
 */
export function isNotBegun(result: CallResult): boolean {
  return result.status === "error" && result.error.code === "not_begun";
}

/** Which attempt this one is of those that were begun, from 1. */
export function attemptsBegun({ attempt, notBegun = 0 }: Pick<Intent, "attempt" | "notBegun">): number {
  return attempt - notBegun;
}
