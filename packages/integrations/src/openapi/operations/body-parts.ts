import type { JsonObject, JsonValue } from "@procedo/contract";
import type { BodyPart, ImportProblem } from "../imported-api.ts";
import { errorAt, shown, warningAt } from "../problem-list.ts";
import { contentTypeOf, filesOf, noFiles } from "./file-members.ts";
import { readMediaType } from "./media-types.ts";
import { isObject, own } from "../schema/json-object.ts";
import type { Members } from "../schema/members.ts";
import { jsonPointer } from "@procedo/contract/syntax";
import { readStyle } from "./parameter-encoding.ts";
import type { Reading } from "./reading.ts";

interface FormBody {
  readonly kind: string;
  readonly encoding: JsonValue | undefined;
  readonly encodingPointer: string;
}

interface FormMembers {
  readonly members: Members;
  /** Encodings of members that differ from the defaults. */
  readonly parts: Readonly<Record<string, BodyPart>>;
}

/** A form's members. Members that are files have a schema for files. */
export function readParts(reading: Reading, body: FormBody, members: Members, problems: ImportProblem[]): FormMembers {
  const encodings = encodingsOf(body, members.properties, problems);
  const encoded = new Map<string, BodyPart>();
  for (const name of members.properties.keys()) {
    const encoding = own(encodings, name);
    if (isObject(encoding)) encoded.set(name, partOf(encoding, body, name, problems));
  }
  const files = body.kind === "multipart" ? filesOf(reading, members, encodings) : noFiles(members);
  const parts: [string, BodyPart][] = [];
  for (const name of members.properties.keys()) {
    const part = { ...files.parts.get(name), ...encoded.get(name) };
    if (Object.keys(part).length > 0) parts.push([name, part]);
  }
  return { members: files.members, parts: Object.fromEntries(parts) };
}

function encodingsOf(
  { encoding, encodingPointer }: FormBody,
  properties: ReadonlyMap<string, JsonObject>,
  problems: ImportProblem[],
): JsonObject {
  if (encoding === undefined) return {};
  if (encoding === null) {
    problems.push(warningAt(encodingPointer, "is empty; it was ignored."));
    return {};
  }
  if (!isObject(encoding)) {
    problems.push(
      errorAt(encodingPointer, `must be an object with a member for each property, not ${shown(encoding)}.`),
    );
    return {};
  }
  for (const [name, value] of Object.entries(encoding)) {
    const at = encodingPointer + jsonPointer([name]);
    if (value === null) problems.push(warningAt(at, "is empty; it was ignored."));
    else if (!isObject(value)) problems.push(errorAt(at, `must be an object, not ${shown(value)}.`));
    else if (!properties.has(name)) problems.push(warningAt(at, "The schema has no such property; it was ignored."));
  }
  return encoding;
}

function partOf(encoding: JsonObject, body: FormBody, name: string, problems: ImportProblem[]): BodyPart {
  const pointer = body.encodingPointer + jsonPointer([name]);
  const given = contentTypeOf(encoding);
  if (given !== undefined && typeof given !== "string") {
    problems.push(errorAt(`${pointer}/contentType`, `must be a text, not ${shown(given)}.`));
  }
  const contentType = typeof given === "string" ? oneMediaType(given) : undefined;
  const styled = ["style", "explode", "allowReserved"].some((member) => Object.hasOwn(encoding, member));
  // OpenAPI 3.0.3, 4.7.15.1: `style` is ignored in multipart bodies. Generators write "form" there, while "deepObject"
  // is intentional.
  const isMeant = own(encoding, "style") === "deepObject" && given === undefined;
  const style = styled && (body.kind === "form" || isMeant) ? readStyle(encoding, "query", pointer) : undefined;
  if (style?.ok === false) problems.push(...style.problems);
  return {
    ...(contentType !== undefined && { contentType }),
    ...(style?.ok === true && { encoding: style.encoding }),
  };
}

/** A list or range of media types leaves the choice to the sender. */
function oneMediaType(written: string): string | undefined {
  return written.includes(",") || written.includes("*") ? undefined : readMediaType(written);
}
