import { createHash } from "node:crypto";

const maxAliasLength = 64;
const digestLength = 12;
const asItIs = /^[A-Za-z0-9_-]{1,64}$/;
/** Only changed names have this ending. */
const likeADigest = /_[0-9a-f]{12}$/;

/**
 * A tool name that model providers accept: 1 to 64 of `A-Z a-z 0-9 _ -`. Equal names have equal aliases, and different
 * names different ones. A valid name stays unchanged.
 */
export function aliasOf(name: string): string {
  if (asItIs.test(name) && !likeADigest.test(name)) return name;
  // Hashed as JSON, which distinguishes lone surrogates; UTF-8 does not.
  const digest = createHash("sha256").update(JSON.stringify(name)).digest("hex").slice(0, digestLength);
  const readable = name.replaceAll(/[^A-Za-z0-9_-]+/g, "_").slice(0, maxAliasLength - digestLength - 1);
  return `${readable}_${digest}`;
}
