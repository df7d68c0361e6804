import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { ProcedoError, type JsonObject, type JsonValue } from "@procedo/contract";
import { parseExact, readJsonText, repeatedMember } from "@procedo/procedure";

/** Maximum number of listed syntax errors. */
const maxFaults = 20;

/**
 * Parses a JSON object and preserves the digits of its numbers. @throws ProcedoError `invalid_input`, `inexact_number`
 */
export function parseObject(text: string, what: string): JsonObject {
  const parsed = parseExact(text);
  if (!parsed.ok) {
    if (parsed.reason === "malformed") {
      const details = readJsonText(text).problems.map(({ line, column, message }) => {
        return { path: `line ${line}, column ${column}`, message };
      });
      throw new ProcedoError("invalid_input", `${what} is not JSON.`, { details: details.slice(0, maxFaults) });
    }
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
 * Reads a file or standard input (`-`) as UTF-8, or as UTF-16 when a byte order mark says so (PowerShell writes
 * UTF-16). The result does not include the mark.
 *
 * @throws ProcedoError `invalid_input` when the text cannot be read
 */
export async function readText(path: string, stdin: AsyncIterable<Uint8Array>): Promise<string> {
  const bytes = await readBytes(path, stdin);
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ProcedoError("invalid_input", `"${path}" is not text in UTF-8; save it as UTF-8.`, { cause });
  }
}

/** The bytes of a file or of standard input (`-`). @throws ProcedoError `invalid_input` when they cannot be read */
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
