import { hash } from "node:crypto";
import type { Scope } from "@procedo/storage";

/** Under which an idempotency key is held: callers choose keys and procedures choose ids, and an index holds no long texts. */
export function idempotencyKeyOf({ workspace, environment }: Scope, procedureId: string, key: string): string {
  return hash("sha256", JSON.stringify([workspace, environment, procedureId, key]), "base64url");
}
