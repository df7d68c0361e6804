import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";

/**
 * Decodes the content coding of a response (RFC 9110, 8.4.1). Requests ask for none, but some servers store their files
 * compressed and send them anyway.
 *
 * @param maxBytes limit of the decoded bytes
 * @returns `undefined` for an unknown coding, malformed bytes, or more than `maxBytes`
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
