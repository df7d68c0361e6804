import type { Random } from "@procedo/engine";

/** Gives requests their ids: a random part drawn once, and a number. They need to be different, not secret. */
export function createRequestIds(random: Random): () => string {
  const prefix = `req_${Buffer.from(random.bytes(9)).toString("base64url")}`;
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}_${count.toString(36)}`;
  };
}
