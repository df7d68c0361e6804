import type { ImportProblem } from "../imported-api.ts";
import { maxDocumentBytes } from "./document-limits.ts";

export type Decoded =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: ImportProblem };

/**
 * Decodes the bytes of a fetched document: UTF-8, or UTF-16 when indicated by a byte order mark or by zero bytes at the
 * beginning.
 */
export function decodeDocument(bytes: Uint8Array): Decoded {
  const refuse = (message: string): Decoded => ({ ok: false, problem: { severity: "error", pointer: "", message } });
  const encoding = encodingOf(bytes);
  // UTF-16 takes up to twice the bytes of UTF-8 for the same text.
  if (bytes.length > (encoding === "utf-8" ? 1 : 2) * maxDocumentBytes) {
    return refuse(
      `The document is larger than ${maxDocumentBytes / 1024 / 1024} MiB, which is its limit; make it smaller.`,
    );
  }
  try {
    return { ok: true, text: new TextDecoder(encoding, { fatal: true }).decode(bytes) };
  } catch {
    return refuse("The document is not text in UTF-8; save it as UTF-8.");
  }
}

function encodingOf([first, second]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return "utf-16le";
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return "utf-16be";
  return "utf-8";
}
