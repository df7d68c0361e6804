import type { JsonObject, JsonValue } from "@procedo/contract";
import type { ApiDocument } from "../document/api-document.ts";
import type { ImportProblem } from "../imported-api.ts";
import { errorAt, isError, type ProblemList, shown } from "../problem-list.ts";
import type { References } from "../schema/references.ts";
import type { SchemaTranslator, TranslatedSchema } from "../schema/schema-translator.ts";
import type { LostReferences } from "./lost-references.ts";
import type { Outputs } from "./outputs.ts";
import type { ParameterShape } from "./parameter-shape.ts";
import type { ReadingRoom } from "./reading-room.ts";
import { isObject } from "../schema/json-object.ts";

/** Shared context of reading one document. */
export interface Reading {
  readonly dialect: ApiDocument["dialect"];
  readonly root: JsonObject;
  readonly references: References;
  /** Translates schemas of requests. */
  readonly requests: SchemaTranslator;
  /** Translates schemas of responses. */
  readonly outputs: Outputs;
  readonly lostReferences: LostReferences;
  /** Problems of the whole document. */
  readonly problems: ProblemList;
  readonly room: ReadingRoom;
  /** Shared parts, by use and place. Each is read once. */
  readonly parameters: Map<string, ParameterShape>;
}

export type Found =
  | { readonly ok: true; readonly value: JsonObject; readonly pointer: string }
  | { readonly ok: false; readonly problem: ImportProblem };

/** Returns the object at this place, or the target of its `$ref`. `what` completes "must be …". */
export function followReference(reading: Reading, value: JsonValue, pointer: string, what = "an object"): Found {
  if (!isObject(value)) return { ok: false, problem: errorAt(pointer, `must be ${what}, not ${shown(value)}.`) };
  if (!Object.hasOwn(value, "$ref")) return { ok: true, value, pointer };
  const resolved = reading.references.follow(value, pointer);
  if (!resolved.ok) return { ok: false, problem: errorAt(`${pointer}/$ref`, resolved.message) };
  if (isObject(resolved.value)) {
    reading.room.chargeFor(resolved.pointer, resolved.value);
    return { ok: true, value: resolved.value, pointer: resolved.pointer };
  }
  return { ok: false, problem: errorAt(`${pointer}/$ref`, `leads to ${shown(resolved.value)} and not to ${what}.`) };
}

/** Further problems are listed for the document only, and the operation has one that summarizes them. */
const maxTaken = 20;

/**
 * Adds the problems of a schema. A shared schema may have thousands.
 *
 * @param needed - errors for references on which the call depends
 */
export function takeProblems(
  reading: Reading,
  { problems: ofSchema }: Pick<TranslatedSchema, "problems">,
  problems: ImportProblem[],
  needed: readonly ImportProblem[] = [],
): void {
  const places = new Set(needed.map(({ pointer }) => pointer));
  const found = [...needed, ...ofSchema.filter(({ pointer }) => !places.has(pointer))];
  if (found.length <= maxTaken) {
    problems.push(...found);
    return;
  }
  reading.problems.add(found);
  const first = found.find(isError) ?? found[0];
  if (first !== undefined) problems.push(first);
}
