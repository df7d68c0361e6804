import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { decodeContent } from "./content-coding.ts";

const bytes = Buffer.from("a document");

test.each([
  [null, bytes],
  ["identity", bytes],
  ["gzip", gzipSync(bytes)],
  [" X-GZIP ", gzipSync(bytes)],
  ["deflate", deflateSync(bytes)],
  ["br", brotliCompressSync(bytes)],
])("%s is decoded", (coding, coded) => {
  expect(Buffer.from(decodeContent(coded, coding, 100) ?? [])).toEqual(bytes);
});

test.each([
  ["an unknown coding", "zstd, gzip", gzipSync(bytes)],
  ["a name of every object", "constructor", bytes],
  ["bytes that are not in it", "gzip", bytes],
  ["half of it", "gzip", gzipSync(bytes).subarray(0, 12)],
  ["a bomb", "gzip", gzipSync(Buffer.alloc(1024 * 1024))],
])("%s cannot be decoded", (_name, coding, coded) => {
  expect(decodeContent(coded, coding, 1_000)).toBeUndefined();
});
