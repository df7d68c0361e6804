import { hash } from "node:crypto";

/**
 * The idempotency key of a call: 32 characters, the same for every attempt and after every restart, different for
 * every other call. Journals do not repeat it, because it follows: how it is made may never change.
 */
export function callKey(runId: string, nodeId: string, visit: number, call: number): string {
  return hash("sha256", `${runId}\n${nodeId}\n${visit}\n${call}`, "base64url").slice(0, 32);
}
