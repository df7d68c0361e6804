import type { JsonObject, JsonValue } from "@procedo/contract";
import type { BodyPart, ImportProblem } from "../imported-api.ts";
import { warningAt } from "../problem-list.ts";
import { describing } from "../schema/describing.ts";
import { requiredAnywhere } from "../schema/member-schema.ts";
import type { Members } from "../schema/members.ts";
import { binarySchema } from "./binary.ts";
import { readParts } from "./body-parts.ts";
import { isBaseOfOthers } from "./base-of-others.ts";
import { partOf } from "./file-members.ts";
import { readFileSchema } from "./file-schema.ts";
import { mayBeJson, type MediaKind } from "./media-types.ts";
import { own } from "../schema/json-object.ts";
import { neededBy } from "./needed-by.ts";
import { type Reading, takeProblems } from "./reading.ts";

/** The body that a call sends. */
export type ReadBody = MemberBody | WholeBody;

/** Arguments are members of the body. */
export interface MemberBody {
  readonly shape: "members";
  readonly mediaType: string;
  /** The body is JSON, although its media type does not say so. */
  readonly asJson?: true;
  readonly required: boolean;
  readonly members: Pick<Members, "properties" | "required" | "alternatives">;
  /** The schema of additional members; `false` when none are allowed. */
  readonly additional: boolean | JsonObject;
  /** The encoding of additional members, if they are files. */
  readonly otherParts?: BodyPart;
  readonly parts: Readonly<Record<string, BodyPart>>;
}

/** One argument is the body. */
export interface WholeBody {
  readonly shape: "whole";
  readonly mediaType: string;
  readonly asJson?: true;
  readonly required: boolean;
  readonly schema: JsonObject;
}

/** A body in the document's description, independent of the dialect. */
export interface DescribedBody {
  readonly mediaType: string;
  readonly kind: MediaKind;
  /** The document leaves the media type open, with a range or without a type. `mediaType` is then the default. */
  readonly isOpenType: boolean;
  readonly required: boolean;
  readonly description: string | undefined;
  /** `undefined` when the document has no schema. */
  readonly schema: JsonValue | undefined;
  readonly schemaPointer: string;
  /** OpenAPI 3.0's `encoding` of forms. */
  readonly encoding: JsonValue | undefined;
  readonly encodingPointer: string;
}

/**
 * Reads the body's schema according to its media type; `undefined` when the body is refused, with the reasons in
 * `problems`.
 */
export function readBodyContent(
  reading: Reading,
  body: DescribedBody,
  problems: ImportProblem[],
): ReadBody | undefined {
  const { mediaType, required } = body;
  const translated =
    body.schema === undefined
      ? { schema: {}, problems: [] }
      : reading.requests.translate(body.schema, body.schemaPointer);
  const members = body.schema === undefined ? undefined : reading.requests.membersOf(translated.schema);
  takeProblems(reading, translated, problems, neededHere(reading, required, translated.schema, members));
  const whole = (schema: JsonObject): WholeBody => ({ shape: "whole", mediaType, required, schema: say(schema, body) });
  const takesFile = (): boolean => readFileSchema(reading, translated.schema) !== undefined;
  const isStructure = members !== undefined || translated.schema["type"] === "array";
  const asJson = isStructure && mayBeJson(mediaType) ? { asJson: true as const } : {};
  switch (asJson.asJson === true ? "json" : body.kind) {
    case "json":
      if (body.isOpenType && takesFile()) {
        return { ...whole(binarySchema(translated.schema)), mediaType: "application/octet-stream" };
      }
      return members === undefined
        ? { ...whole(translated.schema), ...asJson }
        : { ...memberBody(reading, body, withRequired(members), {}), ...asJson };
    case "form":
    case "multipart": {
      if (members === undefined && body.schema !== undefined && !isAnything(translated.schema)) {
        return namelessMembers(reading, body, translated.schema, problems);
      }
      return formBody(reading, body, withRequired(members ?? noMembers), problems);
    }
    case "text":
      if (takesFile()) return whole(binarySchema(translated.schema));
      return whole(members === undefined && translated.schema["type"] !== "array" ? textOf(translated.schema) : text);
    case "binary":
      return whole(binarySchema(translated.schema));
    case "raw":
      if (takesFile() || !mediaType.endsWith("xml")) return whole(binarySchema(translated.schema));
      problems.push(
        warningAt(
          body.schemaPointer,
          `A body of ${mediaType} is given as text, because XML cannot be built from values.`,
        ),
      );
      return whole(text);
  }
}

/** Required members of a body are required inputs of the action, even when the body is optional. */
function neededHere(
  reading: Reading,
  required: boolean,
  schema: JsonObject,
  members: Members | undefined,
): readonly ImportProblem[] {
  if (required) return neededBy("The body", reading, schema);
  return (members?.required ?? []).flatMap((name) =>
    neededBy("The body", reading, members?.properties.get(name) ?? {}, name),
  );
}

const text: JsonObject = { type: "string" };
const noMembers: Members = {
  properties: new Map(),
  required: [],
  alternatives: [],
  additional: undefined,
  empty: true,
};

const isAnything = (schema: JsonObject): boolean => Object.keys(schema).every((keyword) => describing.has(keyword));
const textOf = (schema: JsonObject): JsonObject => (isAnything(schema) ? text : schema);

function say(schema: JsonObject, { description }: DescribedBody): JsonObject {
  return description === undefined || Object.hasOwn(schema, "description") ? schema : { ...schema, description };
}

function memberBody(
  reading: Reading,
  body: DescribedBody,
  members: Members,
  parts: Readonly<Record<string, BodyPart>>,
): MemberBody {
  const { mediaType, required } = body;
  // A closed object protects a payment from misspelt arguments. An object without any named member is meant to be open.
  const additional = members.additional ?? (members.empty || isBaseOfOthers(reading, body.schema));
  return { shape: "members", mediaType, required, members, additional, parts };
}

/** A required member without a description accepts any value, but must be provided. */
function withRequired(members: Members): Members {
  const names = requiredAnywhere(members).filter((name) => !members.properties.has(name) && isInputName(name));
  if (names.length === 0) return members;
  return { ...members, properties: new Map([...members.properties, ...names.map((name) => [name, {}] as const)]) };
}

const isInputName = (name: string): boolean => name !== "" && name !== "__proto__" && name.isWellFormed();

function formBody(reading: Reading, body: DescribedBody, members: Members, problems: ImportProblem[]): MemberBody {
  const { members: written, parts } = readParts(reading, body, members, problems);
  const read = memberBody(reading, body, written, parts);
  if (body.kind !== "multipart" || typeof read.additional === "boolean") return read;
  const file = readFileSchema(reading, read.additional);
  if (file === undefined) return read;
  return { ...read, additional: file.schema(!file.orPlain), otherParts: partOf(file.orPlain) };
}

/**
 * A form whose schema is a file or another value, alone or in a list. The document does not name its members, so each
 * call does.
 */
function namelessMembers(
  reading: Reading,
  body: DescribedBody,
  schema: JsonObject,
  problems: ImportProblem[],
): MemberBody {
  const message = `A body of ${body.mediaType} has members; its schema must describe an object. Each argument becomes a member with its own name, such as "file".`;
  problems.push(warningAt(body.schemaPointer, message));
  return formBody(reading, body, { ...noMembers, additional: schema }, problems);
}

/** Whether a body has no description and accepts no members. */
export function isEmptyBody(body: DescribedBody, read: ReadBody): boolean {
  if (body.schema === undefined) return true;
  return read.shape === "members" && read.members.properties.size === 0 && !hasAdditional(body);
}

function hasAdditional({ schema }: DescribedBody): boolean {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return false;
  const additional = own(schema as JsonObject, "additionalProperties");
  return additional !== undefined && additional !== false;
}
