/**
 * The syntax of JSON pointers and HTTP headers, without the schemas of `@procedo/contract`: those take 40 MB in each
 * worker thread that loads them.
 */
export { escapePointerToken, jsonPointer, pointerTokens, unescapePointerToken } from "./json-pointer.ts";
export { isFramingHeader, isHeaderValue, isHttpToken } from "./http-headers.ts";
