import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { ProcedoError, type JsonObject, type JsonValue } from "@procedo/contract";
import { parseExact, repeatedMember } from "@procedo/procedure";

/** A JSON object whose numbers keep their digits. @throws ProcedoError `invalid_input`, `inexact_number` */
export function parseObject(text: string, what: string): JsonObject {
  const parsed = parseExact(text);
  if (!parsed.ok) {
    if (parsed.reason === "malformed")
      throw new ProcedoError("invalid_input", `${what} is not JSON. ${parsed.message}`);
    const { path, message } = parsed;
    throw new ProcedoError("inexact_number", `A number of ${what} ${message}`, { details: [{ path, message }] });
  }
  const path = repeatedMember(text, parsed.value);
  if (path !== undefined) {
    const details = [{ path, message: "stands twice in its object" }];
    throw new ProcedoError("invalid_input", `${what} has the member "${path}" twice. Keep one.`, { details });
  }
  if (isObject(parsed.value)) return parsed.value;
  throw new ProcedoError("invalid_input", `${what} is not a JSON object.`);
}

/**
 * Reads a file of text. A byte order mark, which editors on Windows put in front, is not a part of it.
 *
 * @throws ProcedoError `invalid_input` when it cannot be read
 */
export async function readTextFile(path: string): Promise<string> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw cannotBeRead(path, cause);
  });
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

/** The bytes of a file, or of standard input (`-`). @throws ProcedoError `invalid_input` when it cannot be read */
export async function readBytes(path: string, stdin: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  if (path === "-") return await buffer(stdin);
  return await readFile(path).catch((cause: unknown) => {
    throw cannotBeRead(path, cause);
  });
}

function cannotBeRead(path: string, cause: unknown): ProcedoError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ProcedoError("invalid_input", `"${path}" cannot be read: ${reason}.`, { cause });
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
