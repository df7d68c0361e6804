import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";

/**
 * An answer's bytes without their content coding (RFC 9110, 8.4.1). None is asked for, but some servers know nothing
 * else: they keep their files compressed.
 *
 * @param maxBytes what the decoded bytes may be
 * @returns `undefined` for a coding that is not known, bytes that are not in it, and more than `maxBytes`
 */
export function decodeContent(bytes: Uint8Array, coding: string | null, maxBytes: number): Uint8Array | undefined {
  const decode = decoders.get((coding ?? "identity").trim().toLowerCase());
  try {
    return decode?.(bytes, { maxOutputLength: maxBytes });
  } catch {
    return undefined;
  }
}

type Decode = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array;

const decoders: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ["identity", (bytes) => bytes],
  ["gzip", gunzipSync],
  ["x-gzip", gunzipSync],
  ["deflate", inflateSync],
  ["br", brotliDecompressSync],
]);
