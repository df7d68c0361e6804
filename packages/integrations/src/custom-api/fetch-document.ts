import type { GuardedFetch } from "@procedo/engine";
import { decodeContent } from "../calls/content-coding.ts";
import { decodeDocument } from "../openapi/document/decode-document.ts";
import { maxDocumentBytes } from "../openapi/document/document-limits.ts";
import type { ImportProblem } from "../openapi/imported-api.ts";

/** The outcome of fetching a document from its address. */
export type FetchedDocument =
  | {
      readonly status: "ok";
      /** Text of the document. */
      readonly text: string;
    }
  /** The address returned no document. The message continues a sentence that starts with the field's name. */
  | {
      readonly status: "missing";
      /** The reason, which continues a sentence that starts with the field's name. */
      readonly message: string;
    }
  /** The address returned bytes that are not text. */
  | {
      readonly status: "refused";
      /** The fault of the document. */
      readonly problem: ImportProblem;
    };

/** UTF-16 takes up to twice the bytes of UTF-8. */
const maxDecodedBytes = 2 * maxDocumentBytes;

const accept = "application/json, application/yaml;q=0.9, text/yaml;q=0.9, */*;q=0.5";

/**
 * Fetches a document's text once. Redirects are not followed, so that the document comes from the named address.
 *
 * @throws EgressError when the address is not allowed or does not answer
 */
export async function fetchDocument(url: string, fetch: GuardedFetch): Promise<FetchedDocument> {
  const response = await fetch(url, { headers: { accept }, redirect: "manual" });
  const { status } = response;
  if (status >= 300 && status < 400 && status !== 304) {
    return {
      status: "missing",
      message: `answers with a redirect (${status}), which is not followed; ${leadsTo(response)}`,
    };
  }
  if (status !== 200) {
    const message = `answers with ${status} instead of a document; check the address, or paste the document`;
    return { status: "missing", message };
  }
  const coding = response.headers.get("content-encoding");
  const bytes = decodeContent(new Uint8Array(await response.arrayBuffer()), coding, maxDecodedBytes);
  if (bytes === undefined) {
    return { status: "missing", message: "answers with compressed data that cannot be read, or is too large" };
  }
  const decoded = decodeDocument(bytes);
  return decoded.ok ? { status: "ok", text: decoded.text } : { status: "refused", problem: decoded.problem };
}

/** The query is omitted because it may contain a key. */
function leadsTo(response: Response): string {
  const location = response.headers.get("location");
  const target =
    location !== null && URL.canParse(location, response.url) ? new URL(location, response.url) : undefined;
  if (target === undefined || !/^https?:$/.test(target.protocol)) return "give the address of the document itself";
  return `it leads to ${(target.origin + target.pathname).slice(0, 300)}: give that address`;
}
