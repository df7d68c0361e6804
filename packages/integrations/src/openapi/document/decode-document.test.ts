import { expect, it } from "vitest";
import { decodeDocument } from "./decode-document.ts";

const utf16 = (text: string, bigEndian: boolean) => {
  const bytes = Buffer.from(text, "utf16le");
  return bigEndian ? bytes.swap16() : bytes;
};

it.each([
  ["UTF-8", Buffer.from('{"a":"é€😀"}')],
  ["UTF-8 with a byte order mark", Buffer.from('\uFEFF{"a":"é€😀"}')],
  ["UTF-16 with a byte order mark", utf16('\uFEFF{"a":"é€😀"}', false)],
  ["UTF-16, big end first", utf16('\uFEFF{"a":"é€😀"}', true)],
  ["UTF-16 without a mark", utf16('{"a":"é€😀"}', false)],
  ["UTF-16 without a mark, big end first", utf16('{"a":"é€😀"}', true)],
])("bytes in %s are decoded", (_name, bytes) => {
  expect(decodeDocument(bytes)).toEqual({ ok: true, text: '{"a":"é€😀"}' });
});

it.each([
  ["an image", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a])],
  ["Latin-1", Buffer.from("a: caf\u00e9", "latin1")],
  ["half a letter", Buffer.from("é").subarray(0, 1)],
])("%s is rejected because it is not text", (_name, bytes) => {
  const decoded = decodeDocument(bytes);
  expect(decoded).toEqual({ ok: false, problem: expect.objectContaining({ severity: "error", pointer: "" }) });
});

it("more than 20 MiB is rejected before decoding", () => {
  const decoded = decodeDocument(new Uint8Array(20 * 1024 * 1024 + 1).fill(0x20));
  expect(decoded).toEqual({
    ok: false,
    problem: expect.objectContaining({ message: expect.stringMatching(/larger than 20 MiB/) }),
  });
});
