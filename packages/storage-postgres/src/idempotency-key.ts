import { createHash } from "node:crypto";
import type { Scope } from "@procedo/storage";

/** Under which an idempotency key is held: callers choose keys and procedures choose ids, and an index holds no long texts. */
export function idempotencyKeyOf({ workspace, environment }: Scope, procedureId: string, key: string): string {
  return createHash("sha256")
    .update(JSON.stringify([workspace, environment, procedureId, key]))
    .digest("base64url");
}
