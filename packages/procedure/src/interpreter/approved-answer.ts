import type { JsonObject } from "@procedo/contract";
import type { OpenReview } from "./journal.ts";

/**
 * What an approval makes of an agent's answer: a person may name another branch, and then the agent's reason is none for
 * it. `undefined` when neither names a branch.
 */
export function approvedAnswer(
  proposed: OpenReview["proposed"],
  outputs: JsonObject = {},
): { readonly branch: string; readonly reason?: string } | undefined {
  const branch = outputs["branch"] ?? proposed?.branch;
  if (typeof branch !== "string") return undefined;
  const reason = outputs["reason"] ?? (branch === proposed?.branch ? proposed.reason : undefined);
  return typeof reason === "string" ? { branch, reason } : { branch };
}
