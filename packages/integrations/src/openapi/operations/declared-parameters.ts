import type { JsonObject, JsonValue } from "@procedo/contract";
import type { ImportProblem } from "../imported-api.ts";
import { errorAt, shown, warningAt } from "../problem-list.ts";
import { coercedBoolean } from "../schema/coerced-value.ts";
import { isObject, own } from "../schema/json-object.ts";
import { isList } from "./is-list.ts";
import { followReference, type Found, type Reading } from "./reading.ts";

/** A parameter with a name and a place; its other members are not read yet. */
export type Declared = Extract<Found, { ok: true }> & { readonly name: string; readonly in: string };

interface DeclaringPlace {
  /** The path's item or the operation. */
  readonly owner: JsonObject;
  readonly pointer: string;
  /** Names in the path's template. */
  readonly templateNames: ReadonlySet<string>;
}

/** Reads a list of parameters, each with its name and place. */
export function declaredParameters(
  reading: Reading,
  { owner, pointer: ownerPointer, templateNames }: DeclaringPlace,
  problems: ImportProblem[],
): ReadonlyMap<string, Declared> {
  const declared = new Map<string, Declared>();
  const list = own(owner, "parameters");
  if (list === undefined) return declared;
  const pointer = `${ownerPointer}/parameters`;
  if (!isList(list)) {
    const saysNothing = list === null || (isObject(list) && Object.keys(list).length === 0);
    problems.push(
      saysNothing
        ? warningAt(pointer, `must be a list, not ${shown(list)}; there are no parameters.`)
        : errorAt(pointer, `must be a list, not ${shown(list)}.`),
    );
    return declared;
  }
  // A path's parameters are read once for each of its operations.
  reading.room.charge(list.length);
  for (const [index, entry] of list.entries()) {
    if (entry === null) {
      problems.push(warningAt(`${pointer}/${index}`, "is empty; it was ignored."));
      continue;
    }
    const parameter = declaredParameter(reading, entry, `${pointer}/${index}`, templateNames, problems);
    if (parameter === undefined) continue;
    const key = keyOf(parameter);
    const same = declared.get(key);
    if (same === undefined) declared.set(key, parameter);
    else problems.push(repeated(parameter, same, `${pointer}/${index}`));
  }
  return declared;
}

/** Names of headers are case-insensitive (RFC 9110, section 5.1). */
const keyOf = ({ in: place, name }: Declared): string => `${place} ${place === "header" ? name.toLowerCase() : name}`;

function repeated(parameter: Declared, same: Declared, pointer: string): ImportProblem {
  const which = `The ${parameter.in} parameter ${shown(parameter.name)}`;
  return JSON.stringify(parameter.value) === JSON.stringify(same.value)
    ? warningAt(pointer, `${which} is declared twice, identically; remove one.`)
    : warningAt(pointer, `${which} is declared twice, differently; the declaration at ${same.pointer} is used.`);
}

const places = {
  "openapi-3.0": ["path", "query", "header", "cookie"],
  "swagger-2.0": ["path", "query", "header", "body", "formData"],
};

function declaredParameter(
  reading: Reading,
  entry: JsonValue,
  at: string,
  templateNames: ReadonlySet<string>,
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
  const faults: ImportProblem[] = [];
  const name = nameOf(value, pointer, faults);
  const place = placeOf(reading, found, templateNames, faults);
  problems.push(...unlessDispensable(value, pointer, faults));
  return name === undefined || place === undefined ? undefined : { ...found, name, in: place };
}

/** The faults of a parameter that cannot be sent. An optional one is left out with a warning. */
export function unlessDispensable(
  parameter: JsonObject,
  pointer: string,
  faults: readonly ImportProblem[],
): readonly ImportProblem[] {
  const errors = faults.filter(({ severity }) => severity === "error");
  if (errors.length === 0 || isRequired(parameter)) return faults;
  return [
    ...faults.map((fault): ImportProblem => ({ ...fault, severity: "warning" })),
    warningAt(pointer, "The parameter is optional and cannot be sent; it is left out."),
  ];
}

function isRequired(parameter: JsonObject): boolean {
  const required = own(parameter, "required") ?? false;
  return own(parameter, "in") === "path" || required === true || coercedBoolean(required) === true;
}

function nameOf(value: JsonObject, pointer: string, faults: ImportProblem[]): string | undefined {
  const name = own(value, "name") ?? undefined;
  const at = `${pointer}/name`;
  if (typeof name === "number" || typeof name === "boolean") {
    faults.push(warningAt(at, `must be a text, not ${shown(name)}; it is read as one. Put it in quotes.`));
    return String(name);
  }
  if (name === undefined) faults.push(errorAt(pointer, 'has no "name".'));
  else if (typeof name !== "string") faults.push(errorAt(at, `must be a text, not ${shown(name)}.`));
  else if (name === "") faults.push(errorAt(at, "must not be empty."));
  else if (name === "__proto__" || !name.isWellFormed()) {
    faults.push(errorAt(at, `${shown(name)} cannot be the name of an argument.`));
  } else return name;
  return undefined;
}

function placeOf(
  { dialect }: Reading,
  { value, pointer }: { readonly value: JsonObject; readonly pointer: string },
  templateNames: ReadonlySet<string>,
  faults: ImportProblem[],
): string | undefined {
  const place = own(value, "in") ?? undefined;
  const allowed = places[dialect];
  if (typeof place === "string" && allowed.includes(place)) return place;
  const name = own(value, "name");
  if (place === undefined && typeof name === "string" && templateNames.has(name)) {
    faults.push(warningAt(pointer, 'has no "in"; it is read as a parameter of the path, which has its name.'));
    return "path";
  }
  const written = typeof place === "string" ? place.trim().toLowerCase() : undefined;
  const meant = allowed.find(
    (known) => known.toLowerCase() === written || (known === "formData" && written === "form"),
  );
  if (meant !== undefined) {
    faults.push(warningAt(`${pointer}/in`, `${shown(place ?? null)} is read as ${shown(meant)}.`));
    return meant;
  }
  faults.push(
    place === undefined
      ? errorAt(pointer, `has no "in"; use ${allowed.join(", ")}.`)
      : errorAt(`${pointer}/in`, `${shown(place)} is not a place of a parameter; use ${allowed.join(", ")}.`),
  );
  return undefined;
}
