import type { JsonObject, JsonValue } from "@procedo/contract";
import type { BodyPart, ImportProblem } from "../imported-api.ts";
import { errorAt, shown, warningAt } from "../problem-list.ts";
import { binarySchema } from "./binary.ts";
import { readMediaType } from "./media-types.ts";
import { isObject, own } from "../schema/json-object.ts";
import { token } from "../json-pointer.ts";
import { readStyle } from "./parameter-encoding.ts";
import type { Reading } from "./reading.ts";

interface FormBody {
  readonly kind: string;
  readonly encoding: JsonValue | undefined;
  readonly encodingPointer: string;
}

/** How a form's members are written, where it is not by the defaults. Files get their schema in `properties`. */
export function readParts(
  reading: Reading,
  body: FormBody,
  properties: Map<string, JsonObject>,
  problems: ImportProblem[],
): Readonly<Record<string, BodyPart>> {
  const encodings = encodingsOf(body, properties, problems);
  const parts: [string, BodyPart][] = [];
  for (const [name, schema] of properties) {
    const encoding = own(encodings, name);
    const part = {
      ...(body.kind === "multipart" && fileOf(reading, name, schema, properties)),
      ...(isObject(encoding) && partOf(encoding, body, name, problems)),
    };
    if (Object.keys(part).length > 0) parts.push([name, part]);
  }
  return Object.fromEntries(parts);
}

function encodingsOf(
  { encoding, encodingPointer }: FormBody,
  properties: ReadonlyMap<string, JsonObject>,
  problems: ImportProblem[],
): JsonObject {
  if (encoding === undefined) return {};
  if (!isObject(encoding)) {
    problems.push(
      errorAt(encodingPointer, `must be an object with a member for each property, not ${shown(encoding)}.`),
    );
    return {};
  }
  for (const [name, value] of Object.entries(encoding)) {
    const at = encodingPointer + token(name);
    if (!isObject(value)) problems.push(errorAt(at, `must be an object, not ${shown(value)}.`));
    else if (!properties.has(name)) problems.push(warningAt(at, "The schema has no such property; it was ignored."));
  }
  return encoding;
}

function partOf(encoding: JsonObject, body: FormBody, name: string, problems: ImportProblem[]): BodyPart {
  const pointer = body.encodingPointer + token(name);
  const given = own(encoding, "contentType");
  if (given !== undefined && typeof given !== "string") {
    problems.push(errorAt(`${pointer}/contentType`, `must be a text, not ${shown(given)}.`));
  }
  const contentType = typeof given === "string" ? oneMediaType(given) : undefined;
  const styled = ["style", "explode", "allowReserved"].some((member) => Object.hasOwn(encoding, member));
  // OpenAPI 3.0.3, 4.7.15.1: of other media types it is ignored.
  const style = styled && body.kind === "form" ? readStyle(encoding, "query", pointer) : undefined;
  if (style?.ok === false) problems.push(...style.problems);
  return {
    ...(contentType !== undefined && { contentType }),
    ...(style?.ok === true && { encoding: style.encoding }),
  };
}

/** A list or a range of media types leaves it to what is sent. */
function oneMediaType(written: string): string | undefined {
  return written.includes(",") || written.includes("*") ? undefined : readMediaType(written);
}

function fileOf(
  reading: Reading,
  name: string,
  schema: JsonObject,
  properties: Map<string, JsonObject>,
): { readonly binary?: true } {
  const resolved = resolvedHere(reading, schema);
  if (isBinary(resolved)) {
    properties.set(name, binarySchema({ ...resolved, ...schema }));
    return { binary: true };
  }
  const items = isObject(resolved["items"]) ? resolvedHere(reading, resolved["items"]) : {};
  if (resolved["type"] !== "array" || !isBinary(items)) return {};
  properties.set(name, { ...resolved, items: binarySchema(items) });
  return { binary: true };
}

const isBinary = (schema: JsonObject): boolean => schema["type"] === "string" && schema["format"] === "binary";

/** A translated schema, or what it refers to. */
function resolvedHere(reading: Reading, schema: JsonObject): JsonObject {
  if (schema["$ref"] === undefined) return schema;
  const { $defs: _, ...resolved } = reading.requests.assemble(schema, { values: maxValues });
  return resolved;
}

/** A file's schema is small, and only the first level of it is looked at. */
const maxValues = 200;
