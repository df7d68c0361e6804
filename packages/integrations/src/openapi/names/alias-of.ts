import { createHash } from "node:crypto";

const maxAliasLength = 64;
const digestLength = 12;
const asItIs = /^[A-Za-z0-9_-]{1,64}$/;
/** Only names that were changed end so. */
const likeADigest = /_[0-9a-f]{12}$/;

/**
 * A name that providers of models take for a tool: 1 to 64 of `A-Z a-z 0-9 _ -`, always the same for the same name, and
 * another one for every other name. A name that fits stays as it is.
 */
export function aliasOf(name: string): string {
  if (asItIs.test(name) && !likeADigest.test(name)) return name;
  // As JSON, which tells halves of surrogate pairs apart; UTF-8 does not.
  const digest = createHash("sha256").update(JSON.stringify(name)).digest("hex").slice(0, digestLength);
  const readable = name.replaceAll(/[^A-Za-z0-9_-]+/g, "_").slice(0, maxAliasLength - digestLength - 1);
  return `${readable}_${digest}`;
}
