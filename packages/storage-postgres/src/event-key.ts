import { hash } from "node:crypto";
import type { Scope } from "@procedo/storage";

/** A digest instead of the source and dedupe key, which senders choose: indexes cannot hold long texts. */
export function eventKeyOf({ workspace, environment }: Scope, source: string, dedupeKey: string): string {
  return hash("sha256", JSON.stringify([workspace, environment, source, dedupeKey]), "base64url");
}
