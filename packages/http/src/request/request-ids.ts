import type { Random } from "@procedo/engine";

/** Creates request ids from a random prefix per process and a counter. The ids are unique but not secret. */
export function createRequestIds(random: Random): () => string {
  const prefix = `req_${Buffer.from(random.bytes(9)).toString("base64url")}`;
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}_${count.toString(36)}`;
  };
}
