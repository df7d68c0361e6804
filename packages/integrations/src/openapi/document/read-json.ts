import type { JsonObject, JsonValue } from "@procedo/contract";
import { scanJson } from "@procedo/procedure/json";
import type { ImportProblem } from "../imported-api.ts";
import type { Position } from "./api-document.ts";
import { maxDocumentDepth, maxDocumentValues, tooDeep, tooManyValues } from "./document-limits.ts";
import { membersAtMost, shapeOfJson, valuesAtMost } from "./json-shape.ts";
import { offsetInJson } from "./offset-in-json.ts";
import type { PositionIndex } from "./position-index.ts";
import { createProblemList } from "./problem-list.ts";
import { doubledName, type TextRead } from "./text-read.ts";

/**
 * Above this number, the text is scanned before it is parsed, because a hostile text can need a hundred times its
 * length in memory.
 */
const fewValues = 300_000;

/**
 * Reads JSON like `JSON.parse`, but rejects duplicate names and deep nesting, and reports each fault with its place.
 */
export function readJson(text: string, positionOf: (offset: number) => Position): TextRead {
  const refused = (message: string, offset?: number): TextRead => {
    const position = offset === undefined ? {} : positionOf(offset);
    return { ok: false, problems: [{ severity: "error", pointer: "", message, ...position }] };
  };
  const refusedByShape = (): TextRead | undefined => {
    const { values, tooDeepAt } = shapeOfJson(text, maxDocumentDepth);
    if (tooDeepAt !== undefined) return refused(tooDeep, tooDeepAt);
    return values > maxDocumentValues ? refused(tooManyValues) : undefined;
  };
  const bomb = valuesAtMost(text, fewValues) > fewValues ? refusedByShape() : undefined;
  if (bomb !== undefined) return bomb;
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    const fault = scanJson(text, {}) ?? { offset: 0, message: "This is not JSON." };
    return refusedByShape() ?? refused(fault.message, fault.offset);
  }
  const members = countMembers(value, maxDocumentDepth);
  if (members === undefined) return refusedByShape() ?? refused(tooDeep);
  // Each duplicate name removes at least one member from the parsed value.
  if (members !== membersAtMost(text) && members !== shapeOfJson(text, maxDocumentDepth).members) {
    return { ok: false, problems: doubledNames(text, positionOf) };
  }
  return {
    ok: true,
    value,
    positions: () => jsonPositions(text),
    offsetOf: (pointer) => offsetInJson(text, pointer, value),
  };
}

/** `undefined` when the value nests deeper than `depth`. */
function countMembers(value: JsonValue, depth: number): number | undefined {
  if (typeof value !== "object" || value === null) return 0;
  if (depth === 0) return undefined;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) {
      const within = countMembers(item, depth - 1);
      if (within === undefined) return undefined;
      count += within;
    }
    return count;
  }
  const object = value as JsonObject;
  // `for…in` is safe, because values of `JSON.parse` inherit nothing enumerable. `Object.values` takes three times as
  // long.
  for (const name in object) {
    const within = countMembers(object[name] ?? null, depth - 1);
    if (within === undefined) return undefined;
    count += within + 1;
  }
  return count;
}

function doubledNames(text: string, positionOf: (offset: number) => Position): readonly ImportProblem[] {
  const problems = createProblemList();
  const open: Map<string, number>[] = [];
  scanJson(text, {
    name(name, start, _end, path) {
      const names = open.at(-1);
      const first = names?.get(name);
      if (first === undefined) names?.set(name, start);
      else problems.add(() => doubledName(path(), positionOf(first), positionOf(start)));
    },
    open: () => void open.push(new Map()),
    close: () => void open.pop(),
  });
  return problems.listed();
}

function jsonPositions(text: string): PositionIndex {
  const starts: number[] = [];
  const nameEnds: number[] = [];
  const ends: number[] = [];
  const open: number[] = [];
  let nameStart = -1;
  let nameEnd = 0;
  const add = (start: number): void => {
    const named = nameStart !== -1;
    starts.push(named ? nameStart : start);
    nameEnds.push(named ? nameEnd : 0);
    ends.push(starts.length);
    nameStart = -1;
  };
  scanJson(text, {
    name(_name, start, end) {
      nameStart = start;
      nameEnd = end;
    },
    scalar: add,
    open(start) {
      open.push(starts.length);
      add(start);
    },
    close() {
      const container = open.pop();
      if (container !== undefined) ends[container] = starts.length;
    },
  });
  return {
    startOf: (value) => starts[value] ?? 0,
    endOf: (value) => ends[value] ?? value + 1,
    nameOf: (value) => {
      const end = nameEnds[value] ?? 0;
      return end === 0 ? undefined : (JSON.parse(text.slice(starts[value], end)) as string);
    },
  };
}
