import { maxJsonDepth, ProcedoError, type JsonValue } from "@procedo/contract";
import { parseExact, parseKeepingExact, readJsonText, repeatedMember } from "@procedo/procedure";
import type { BodySpec } from "../operation.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads a body as JSON. A number that a double cannot represent is refused, or becomes a string with its digits. A
 * duplicate member of an object is refused, because a proxy that checked the request may have read the other value.
 *
 * @throws ProcedoError `malformed_request` with the position (line and column in a short body), or with the pointer to
 *   a duplicate member; `too_deep`; `payload_too_large` above {@link maxContainers} objects and lists; `inexact_number`
 *   with the pointer to the number
 */
export function readJson(bytes: Uint8Array, spec: JsonSpec = {}): unknown {
  const members = checkShape(bytes, spec);
  const text = decode(bytes);
  const value = parse(text, spec);
  refuseRepeated(text, value, members);
  return value;
}

/** Like {@link readJson}, with a pause around each step: for a body of 25 MiB, a step takes up to 50 ms. */
export async function readLargeJson(bytes: Uint8Array, spec: JsonSpec, pause: () => Promise<void>): Promise<unknown> {
  await pause();
  const members = checkShape(bytes, spec);
  await pause();
  const text = decode(bytes);
  await pause();
  const value = parse(text, spec);
  await pause();
  refuseRepeated(text, value, members);
  await pause();
  return value;
}

type JsonSpec = Pick<BodySpec, "keepsDigits" | "envelopeLevels">;

/**
 * Checks the limits before parsing: a megabyte of brackets would keep the parser busy for a third of a second.
 *
 * @returns the number of members in the text, if it is JSON
 */
function checkShape(bytes: Uint8Array, { envelopeLevels = 1 }: JsonSpec): number {
  const members = membersWithin(maxJsonDepth + envelopeLevels, bytes);
  switch (members) {
    case "too_deep":
      throw new ProcedoError("too_deep", `The body is nested deeper than ${maxJsonDepth} levels. Reduce its depth.`);
    case "too_many": {
      const message = `The body has more than ${maxContainers} objects and lists. Send fewer.`;
      throw new ProcedoError("payload_too_large", message);
    }
    default:
      return members;
  }
}

function parse(text: string, { keepsDigits = false }: JsonSpec): JsonValue {
  if (text.startsWith("\uFEFF")) {
    const message = "The body begins with a byte order mark (U+FEFF). Send JSON without it.";
    throw new ProcedoError("malformed_request", message);
  }
  const parsed = keepsDigits ? parseKeepingExact(text) : parseExact(text);
  if (parsed.ok) return parsed.value;
  if (parsed.reason === "malformed") throw malformed(text, parsed.message);
  throw new ProcedoError("inexact_number", `A number in the body ${parsed.message}`, {
    details: [{ path: parsed.path, message: parsed.message.replace(/\.$/, "") }],
  });
}

/** Longer bodies are not analysed for mistakes, which takes a hundred times as long as parsing. */
const longestExplained = 16 * 1024;

const maxFaults = 20;

/** Reports the position of the first syntax error, and common mistakes. No part of the body is quoted. */
function malformed(text: string, message: string): ProcedoError {
  const { problems } = text.length > longestExplained ? { problems: [] } : readJsonText(text, { isRequest: true });
  const details = problems.slice(0, maxFaults).map(({ path, line = 1, column = 1, message: fault }) => {
    return { path, message: `Line ${line}, column ${column}: ${fault}` };
  });
  const [first] = details;
  if (first === undefined) return new ProcedoError("malformed_request", `The body ${message}`);
  return new ProcedoError("malformed_request", `The body is not valid JSON. ${first.message}`, { details });
}

function refuseRepeated(text: string, value: JsonValue, members: number): void {
  const path = repeatedMember(text, value, members);
  if (path === undefined) return;
  const message = "The body contains an object with a duplicate member. Send each member once.";
  throw new ProcedoError("malformed_request", message, {
    details: [{ path, message: "is a duplicate member of its object" }],
  });
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new ProcedoError("malformed_request", "The body is not valid UTF-8. Send JSON in UTF-8.", { cause });
  }
}

/**
 * Maximum number of objects and lists in a body. A parsed object takes up to 30 times its bytes in memory, so that 25
 * MiB of `{},` would take 600 MiB.
 */
export const maxContainers = 256 * 1024;

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
/** `[` and `]`. In ASCII, `{` and `}` differ from these in one bit. */
const open = 0x5b;
const close = 0x5d;
const braceBit = 0x20;

/**
 * Counts brackets and colons outside strings. Returns the number of colons, which equals the number of members, unless
 * brackets nest deeper than `levels` or exceed {@link maxContainers}. For invalid JSON, the result is arbitrary, in
 * linear time.
 */
function membersWithin(levels: number, bytes: Uint8Array): number | "too_deep" | "too_many" {
  let depth = 0;
  let containers = 0;
  let members = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) {
      for (at += 1; at < bytes.length && bytes[at] !== quote; at += 1) if (bytes[at] === backslash) at += 1;
    } else if ((byte & ~braceBit) === open) {
      depth += 1;
      containers += 1;
      if (depth > levels) return "too_deep";
      if (containers > maxContainers) return "too_many";
    } else if ((byte & ~braceBit) === close) depth -= 1;
    else if (byte === colon) members += 1;
  }
  return members;
}
