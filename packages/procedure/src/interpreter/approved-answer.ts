import type { JsonObject } from "@procedo/contract";
import type { OpenReview } from "./journal.ts";

/**
 * The branch after an approval of an agent's answer. The approver may name another branch; the agent's reason is then
 * dropped. `undefined` if neither names a branch.
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
