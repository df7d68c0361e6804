import { ProcedoError } from "@procedo/contract";
import type { InboundMessage } from "@procedo/engine";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Whether the body of a request is a form (WHATWG URL, 5). */
export function isForm({ header }: Pick<InboundMessage, "header">): boolean {
  const [contentType = ""] = header("Content-Type");
  return /^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType.trim());
}

/**
 * Reads a form that another service signed. A form that parsers read differently is refused, because the signature covers
 * each of its meanings.
 *
 * @throws ProcedoError `malformed_request` for a field that occurs twice, and for text that is not UTF-8
 */
export function signedForm(body: Uint8Array): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const pair of decoded(() => utf8.decode(body)).split("&")) {
    if (pair === "") continue;
    const at = pair.indexOf("=");
    const name = plain(at === -1 ? pair : pair.slice(0, at));
    if (fields.has(name)) throw refused(`has the field ${JSON.stringify(name)} twice.`);
    fields.set(name, at === -1 ? "" : plain(pair.slice(at + 1)));
  }
  return fields;
}

function plain(written: string): string {
  return decoded(() => decodeURIComponent(written.replaceAll("+", " ")));
}

function decoded(decode: () => string): string {
  try {
    return decode();
  } catch (cause) {
    throw new ProcedoError("malformed_request", "The body is not a form in UTF-8.", { cause });
  }
}

function refused(problem: string): ProcedoError {
  return new ProcedoError("malformed_request", `The body ${problem}`);
}
