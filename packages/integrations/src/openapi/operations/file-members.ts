import type { JsonObject, JsonValue } from "@procedo/contract";
import type { BodyPart } from "../imported-api.ts";
import { isBytesType } from "../schema/bytes-type.ts";
import { isObject, own } from "../schema/json-object.ts";
import type { Alternatives, Members as AllMembers } from "../schema/members.ts";
import { type FileSchema, readFileSchema } from "./file-schema.ts";
import { isList } from "./is-list.ts";
import type { Reading } from "./reading.ts";

type Members = Pick<AllMembers, "properties" | "alternatives">;

interface FileMembers<Of extends Members> {
  readonly members: Of;
  /** Encodings of the members that are files. */
  readonly parts: ReadonlyMap<string, BodyPart>;
}

export const noFiles = <Of extends Members>(members: Of): FileMembers<Of> => ({ members, parts: new Map() });

/**
 * Finds the members of a multipart body that are files, also in the body's alternatives, and gives them schemas for
 * files.
 *
 * @param encodings - the body's `encoding`. A text with a binary content type, such as an image, is a file
 */
export function filesOf<Of extends Members>(reading: Reading, members: Of, encodings: JsonObject): FileMembers<Of> {
  const fileOf = (name: string, schema: JsonObject): FileSchema | undefined =>
    readFileSchema(reading, schema, { textIsFile: hasBytes(own(encodings, name)) });
  const files = new Map<string, FileSchema>();
  for (const [name, schema] of members.properties) {
    const file = fileOf(name, schema);
    if (file !== undefined) files.set(name, file);
  }
  if (files.size === 0) return noFiles(members);
  const withFiles = (properties: ReadonlyMap<string, JsonObject>): ReadonlyMap<string, JsonObject> =>
    new Map(
      [...properties].map(([name, schema]) => {
        const file = files.get(name);
        if (file === undefined) return [name, schema];
        return [name, fileOf(name, schema)?.schema(!file.orPlain) ?? schema];
      }),
    );
  const inAlternatives = (alternatives: readonly Alternatives[]): readonly Alternatives[] =>
    alternatives.map(({ kind, of }) => ({
      kind,
      of: of.map((rules) => ({
        ...rules,
        properties: withFiles(rules.properties),
        alternatives: inAlternatives(rules.alternatives),
      })),
    }));
  return {
    members: {
      ...members,
      properties: withFiles(members.properties),
      alternatives: inAlternatives(members.alternatives),
    },
    parts: new Map([...files].map(([name, { orPlain }]) => [name, partOf(orPlain)])),
  };
}

/** Several types are separated by commas, but some documents list them. An empty list has no effect. */
export function contentTypeOf(encoding: JsonObject): JsonValue | undefined {
  const given = own(encoding, "contentType") ?? undefined;
  return isList(given) && given.every((type) => typeof type === "string") ? given.join(", ") : given;
}

const hasBytes = (encoding: JsonValue | undefined): boolean => {
  const contentType = isObject(encoding) ? contentTypeOf(encoding) : undefined;
  return typeof contentType === "string" && isBytesType(contentType);
};

/** The encoding of a file's part. */
export const partOf = (orPlain: boolean): BodyPart => ({ binary: true, ...(orPlain && { orPlain: true }) });
