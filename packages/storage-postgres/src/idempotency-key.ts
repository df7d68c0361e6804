import { hash } from "node:crypto";
import type { Scope } from "@procedo/storage";

/**
 * A digest instead of the idempotency key, which callers choose, and the procedure id: indexes cannot hold long texts.
 */
export function idempotencyKeyOf({ workspace, environment }: Scope, procedureId: string, key: string): string {
  return hash("sha256", JSON.stringify([workspace, environment, procedureId, key]), "base64url");
}
