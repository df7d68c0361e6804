import { ProcedoError } from "@procedo/contract";
import { createEgress, guardedFetch } from "@procedo/engine";
import { fetchDocument } from "@procedo/integrations";
import { decodeDocument, maxDocumentBytes, type ImportProblem } from "@procedo/integrations/openapi";
import { readBytes } from "./read-input.ts";

export type ReadDocument =
  | { readonly ok: true; readonly text: string }
  /** What was given is no text, or too much of it. */
  | { readonly ok: false; readonly problem: ImportProblem };

/**
 * The text of an API's document: of a file, of standard input (`-`), or of an http or https address, which is reached as
 * a connection would reach it.
 *
 * @throws ProcedoError `invalid_input` when it cannot be read; EgressError when the address may not be reached
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
  // One byte more than is taken of any encoding, so that too much is told as that.
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
