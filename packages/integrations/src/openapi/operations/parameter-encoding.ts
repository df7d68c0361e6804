import type { JsonObject } from "@procedo/contract";
import type { ImportProblem, ParameterEncoding, ParameterInput } from "../imported-api.ts";
import { errorAt, shown, warningAt } from "../problem-list.ts";
import { coercedBoolean } from "../schema/coerced-value.ts";
import { isObject, own } from "../schema/json-object.ts";

export type Place = ParameterInput["in"];
export type StyleEncoding = Extract<ParameterEncoding, { readonly kind: "style" }>;
type Style = StyleEncoding["style"];

export type ReadEncoding<Encoding extends ParameterEncoding = StyleEncoding> =
  | { readonly ok: true; readonly encoding: Encoding; /** Warnings. */ readonly problems: readonly ImportProblem[] }
  | {
      readonly ok: false;
      readonly problems: readonly ImportProblem[];
      /** The encoding of a value that is neither a list nor an object, which is the same in all styles of the place. */
      readonly plain: Encoding;
    };

/** OpenAPI 3.0.3, 4.7.12.3. The first style is the default. */
const stylesOf: Record<Place, readonly Style[]> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form"],
};

/** Reads `style`, `explode` and `allowReserved` of OpenAPI 3.0, for a parameter or a form's member. */
export function readStyle(owner: JsonObject, place: Place, pointer: string): ReadEncoding {
  const problems: ImportProblem[] = [];
  const allowed = stylesOf[place];
  const given = own(owner, "style") ?? undefined;
  const style = given === undefined ? allowed[0] : allowed.find((known) => known === given);
  if (style === undefined) {
    const message = `${shown(given)} is not a style of a ${place} parameter; use ${allowed.join(", ")}.`;
    problems.push(errorAt(`${pointer}/style`, message));
  }
  const explode = flag(owner, "explode", style === "form", pointer, problems);
  const allowReserved = flag(owner, "allowReserved", false, pointer, problems) && place === "query";
  if (style === undefined) return { ok: false, problems, plain: plainEncoding(place) };
  return { ok: true, encoding: { kind: "style", style, explode, allowReserved }, problems };
}

export function plainEncoding(place: Place): StyleEncoding {
  const style = stylesOf[place][0] ?? "simple";
  return { kind: "style", style, explode: style === "form", allowReserved: false };
}

/**
 * Reads a boolean member. A text with a boolean meaning is accepted and other values are ignored, both with a warning.
 */
export function flag(
  owner: JsonObject,
  name: string,
  fallback: boolean,
  pointer: string,
  problems: ImportProblem[],
): boolean {
  const value = own(owner, name);
  if (value === undefined || typeof value === "boolean") return value ?? fallback;
  const meant = coercedBoolean(value);
  const what = meant === undefined ? "it is ignored" : `it is read as ${meant}`;
  problems.push(warningAt(`${pointer}/${name}`, `must be true or false, not ${shown(value)}; ${what}.`));
  return meant ?? fallback;
}

/** Reads Swagger 2.0's `collectionFormat`. `simple` is the plain comma format, like `csv` in a path or a header. */
const formats = {
  csv: { style: "form", explode: false },
  ssv: { style: "spaceDelimited", explode: false },
  tsv: { style: "tabDelimited", explode: false },
  pipes: { style: "pipeDelimited", explode: false },
  multi: { style: "form", explode: true },
} as const;

export function readCollectionFormat(owner: JsonObject, place: Place, pointer: string): ReadEncoding {
  const given = own(owner, "collectionFormat") ?? "csv";
  const format = Object.entries(formats).find(([name]) => name === given)?.[1];
  const refused = (message: string): ReadEncoding => ({
    ok: false,
    problems: [errorAt(`${pointer}/collectionFormat`, message)],
    plain: plainEncoding(place),
  });
  if (format === undefined) {
    return refused(`${shown(given)} is not a list format; use ${Object.keys(formats).join(", ")}.`);
  }
  // A repeated header is equivalent to one with commas (RFC 9110, section 5.3).
  const explode = format.explode && place !== "header";
  if (explode && place !== "query") return refused(`"multi" is for query and form parameters only.`);
  const nested = own(owner, "items");
  if (isObject(nested) && own(nested, "type") === "array" && (own(nested, "collectionFormat") ?? "csv") === given) {
    return refused(`The list inside has the same format, ${shown(given)}; a reader could not separate them.`);
  }
  const style = format.style === "form" && place !== "query" ? "simple" : format.style;
  return { ok: true, encoding: { kind: "style", style, explode, allowReserved: false }, problems: [] };
}
