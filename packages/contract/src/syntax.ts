/**
 * Small pieces that several packages need: JSON pointers, HTTP headers, network addresses and a bounded cache. They load no schema of
 * `@procedo/contract`; the schemas take 40 MB in each worker thread that loads them.
 */
export { escapePointerToken, jsonPointer, pointerTokens, unescapePointerToken } from "./json-pointer.ts";
export { isFramingHeader, isHeaderValue, isHttpToken } from "./http-headers.ts";
export { retryAfterMs } from "./retry-after.ts";
export { LruCache } from "./lru-cache.ts";
export { sourceOf } from "./address-source.ts";
