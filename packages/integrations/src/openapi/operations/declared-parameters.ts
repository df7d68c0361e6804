import type { JsonObject, JsonValue } from "@procedo/contract";
import type { ImportProblem } from "../imported-api.ts";
import { errorAt, shown, warningAt } from "../problem-list.ts";
import { isObject, own } from "../schema/json-object.ts";
import { isList } from "./is-list.ts";
import { followReference, type Found, type Reading } from "./reading.ts";

/** A parameter that has a name and a place; nothing else of it is known yet. */
export type Declared = Extract<Found, { ok: true }> & { readonly name: string; readonly in: string };

/** A list of parameters, each by its name and place. */
export function declaredParameters(
  reading: Reading,
  owner: JsonObject,
  ownerPointer: string,
  problems: ImportProblem[],
): ReadonlyMap<string, Declared> {
  const declared = new Map<string, Declared>();
  const list = own(owner, "parameters");
  if (list === undefined) return declared;
  const pointer = `${ownerPointer}/parameters`;
  if (!isList(list)) {
    problems.push(errorAt(pointer, `must be a list, not ${shown(list)}.`));
    return declared;
  }
  // A path's parameters are looked at for each of its operations.
  reading.room.charge(list.length);
  for (const [index, entry] of list.entries()) {
    const parameter = declaredParameter(reading, entry, `${pointer}/${index}`, problems);
    if (parameter === undefined) continue;
    const key = keyOf(parameter);
    const same = declared.get(key);
    if (same === undefined) declared.set(key, parameter);
    else problems.push(repeated(parameter, same, `${pointer}/${index}`));
  }
  return declared;
}

/** Names of headers compare without case (RFC 9110, section 5.1). */
const keyOf = ({ in: place, name }: Declared): string => `${place} ${place === "header" ? name.toLowerCase() : name}`;

function repeated(parameter: Declared, same: Declared, pointer: string): ImportProblem {
  const which = `The ${parameter.in} parameter ${shown(parameter.name)}`;
  return JSON.stringify(parameter.value) === JSON.stringify(same.value)
    ? warningAt(pointer, `${which} is declared twice, with the same words; remove one.`)
    : errorAt(pointer, `${which} is declared twice, differently (also at ${same.pointer}); remove one.`);
}

const places = {
  "openapi-3.0": ["path", "query", "header", "cookie"],
  "swagger-2.0": ["path", "query", "header", "body", "formData"],
};

function declaredParameter(
  reading: Reading,
  entry: JsonValue,
  at: string,
  problems: ImportProblem[],
): Declared | undefined {
  const found = followReference(reading, entry, at, "an object that describes a parameter");
  if (!found.ok) {
    const { problem } = found;
    problems.push(
      isObject(entry) ? { ...problem, message: `${problem.message} The parameter may be required.` } : problem,
    );
    return undefined;
  }
  const { value, pointer } = found;
  const [name, place] = [own(value, "name"), own(value, "in")];
  const faults: ImportProblem[] = [];
  if (name === undefined) faults.push(errorAt(pointer, 'has no "name".'));
  else if (typeof name !== "string") faults.push(errorAt(`${pointer}/name`, `must be a text, not ${shown(name)}.`));
  else if (name === "") faults.push(errorAt(`${pointer}/name`, "must not be empty."));
  else if (name === "__proto__" || !name.isWellFormed()) {
    faults.push(errorAt(`${pointer}/name`, `${shown(name)} cannot be the name of an argument.`));
  }
  const allowed = places[reading.dialect];
  if (place === undefined) faults.push(errorAt(pointer, `has no "in"; use ${allowed.join(", ")}.`));
  else if (typeof place !== "string" || !allowed.includes(place)) {
    faults.push(errorAt(`${pointer}/in`, `${shown(place)} is no place of a parameter; use ${allowed.join(", ")}.`));
  }
  problems.push(...faults);
  if (faults.length > 0 || typeof name !== "string" || typeof place !== "string") return undefined;
  return { ...found, name, in: place };
}
