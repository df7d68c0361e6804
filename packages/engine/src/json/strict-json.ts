import { maxJsonDepth, ProcedoError, type JsonValue } from "@procedo/contract";
import { parseKeepingExact, repeatedMember } from "@procedo/procedure";
import { exceeds } from "./json-copy.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads JSON that another service signed: a body, or a text in it. A number that a double would change becomes a string of its digits. A text
 * that parsers read differently is refused, because the signature covers each of its meanings.
 *
 * @throws ProcedoError `malformed_request`, also for a member that occurs twice or is named `__proto__`, and above 64 levels
 *   of nesting
 */
export function strictJson(body: string | Uint8Array): JsonValue {
  const text = typeof body === "string" ? body : decoded(body);
  const parsed = parseKeepingExact(text);
  if (!parsed.ok) throw refused(parsed.message);
  const { value } = parsed;
  // The size is limited in bytes, before the body is read.
  const problem = exceeds(value, { depth: maxJsonDepth, bytes: Number.MAX_SAFE_INTEGER });
  if (problem !== undefined) throw refused(`${problem}.`);
  const path = repeatedMember(text, value);
  if (path !== undefined) throw refused(`has the member ${JSON.stringify(path)} twice.`);
  return value;
}

function decoded(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new ProcedoError("malformed_request", "The body is not valid UTF-8.", { cause });
  }
}

function refused(problem: string): ProcedoError {
  return new ProcedoError("malformed_request", `The body ${problem}`);
}
