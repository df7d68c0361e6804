import * as z from "zod";
import { maxJsonDepth } from "./limits.ts";

/** A value that JSON can hold. Numbers are finite doubles; anything larger travels as a string. */
export type JsonValue = string | number | boolean | null | JsonObject | readonly JsonValue[];

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/**
 * Any JSON value that nests at most {@link maxJsonDepth} levels. The value is handed on as it is, not copied: a copy
 * costs, and loses a member named `__proto__` without a word.
 */
export const jsonValueSchema = z.unknown().check(({ value, issues }) => {
  const problem = value === undefined ? missing() : findProblem(value, 0);
  if (problem !== undefined) issues.push({ code: "custom", input: value, ...problem });
}) as unknown as z.ZodType<JsonValue, JsonValue>;

/** A JSON object under the conditions of {@link jsonValueSchema}. */
export const jsonObjectSchema = z
  .unknown()
  .check(({ value, issues }) => {
    const problem = value === undefined ? missing() : isPlainObject(value) ? findProblem(value, 0) : notAnObject();
    if (problem !== undefined) issues.push({ code: "custom", input: value, ...problem });
  })
  .meta({ type: "object", additionalProperties: true }) as unknown as z.ZodType<JsonObject, JsonObject>;

interface ValueProblem {
  path: (string | number)[];
  readonly message: string;
}

const missing = (): ValueProblem => ({ path: [], message: "is required" });
const notAnObject = (): ValueProblem => ({ path: [], message: "must be an object" });

/** The first part that JSON cannot hold. A cycle nests without end, so the depth limit finds it. */
function findProblem(value: unknown, depth: number): ValueProblem | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined;
  if (typeof value === "number") {
    return Number.isFinite(value) ? undefined : { path: [], message: "must be a finite number" };
  }
  const isArray = Array.isArray(value);
  if (!isArray && !isPlainObject(value)) return { path: [], message: "must be a JSON value" };
  if (depth === maxJsonDepth) return { path: [], message: `nests deeper than ${maxJsonDepth} levels` };
  const members: Iterable<[string | number, unknown]> = isArray ? value.entries() : Object.entries(value);
  for (const [name, member] of members) {
    const problem = findProblem(member, depth + 1);
    if (problem !== undefined) {
      problem.path.unshift(name);
      return problem;
    }
  }
  return undefined;
}

/** An object of any realm is plain; a Date, a Map or an instance of a class is not. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
