import { ProcedoError } from "@procedo/contract";
import { createEgress, guardedFetch } from "@procedo/engine";
import { fetchDocument } from "@procedo/integrations";
import { decodeDocument, maxDocumentBytes, type ImportProblem } from "@procedo/integrations/openapi";
import { readBytes } from "./read-input.ts";

export type ReadDocument =
  | { readonly ok: true; readonly text: string }
  /** The input is not text, or is too large. */
  | { readonly ok: false; readonly problem: ImportProblem };

/**
 * Reads the text of an API document from a file, from standard input (`-`), or from an http or https address. An
 * address is reached under the same network rules as a connection.
 *
 * @throws ProcedoError `invalid_input` when the document cannot be read; EgressError when the address is not allowed
 */
export async function readApiDocument(
  from: string,
  { allowNetworks, stdin }: { readonly allowNetworks: readonly string[]; readonly stdin: AsyncIterable<Uint8Array> },
): Promise<ReadDocument> {
  if (/^https?:\/\//i.test(from)) return await fetched(from, allowNetworks);
  const decoded = decodeDocument(await readBytes(from, stdin));
  return decoded.ok ? decoded : { ok: false, problem: decoded.problem };
}

async function fetched(url: string, allowNetworks: readonly string[]): Promise<ReadDocument> {
  // Reads one byte beyond the limit of the widest encoding, so that an oversized document is reported as such.
  const egress = createEgress({ allowNetworks, maxResponseBytes: 2 * maxDocumentBytes + 1 });
  try {
    const document = await fetchDocument(url, guardedFetch(egress));
    switch (document.status) {
      case "ok":
        return { ok: true, text: document.text };
      case "refused":
        return { ok: false, problem: document.problem };
      case "missing":
        throw new ProcedoError("invalid_input", `The address ${document.message}.`);
    }
  } finally {
    await egress.close();
  }
}
