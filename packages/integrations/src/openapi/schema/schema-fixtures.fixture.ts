import type { JsonObject, JsonValue } from "@procedo/contract";
import { compileSchema } from "@procedo/procedure";
import type { ApiDocument } from "../document/api-document.ts";
import { createReferences } from "./references.ts";
import type { SchemaPurpose } from "./schema-purpose.ts";
import { createSchemaTranslator, type SchemaBounds } from "./schema-translator.ts";

/** A document with schemas only. */
export function schemaDocument(schemas: JsonObject, dialect: ApiDocument["dialect"] = "openapi-3.0"): ApiDocument {
  const root: JsonObject =
    dialect === "openapi-3.0"
      ? { openapi: "3.0.3", components: { schemas } }
      : { swagger: "2.0", definitions: schemas };
  return { dialect, root, locate: () => ({ line: 1, column: 1 }) };
}

export function translatorOf(document: ApiDocument, purpose: SchemaPurpose = "request") {
  return createSchemaTranslator(document, createReferences(document.root), purpose);
}

interface Surroundings {
  readonly schemas?: JsonObject;
  readonly purpose?: SchemaPurpose;
  readonly dialect?: ApiDocument["dialect"];
  readonly bounds?: SchemaBounds;
}

/** The self-contained translation of one schema, with its problems as "severity pointer". */
export function translated(schema: JsonValue, { schemas = {}, purpose, dialect, bounds }: Surroundings = {}) {
  const translator = translatorOf(schemaDocument(schemas, dialect), purpose);
  const { schema: own, problems } = translator.translate(schema, "/here");
  return {
    schema: translator.assemble(own, bounds),
    members: translator.membersOf(own),
    problems: problems.map(({ severity, pointer }) => `${severity} ${pointer}`),
  };
}

/** Whether a value matches a self-contained schema according to the engine. */
export function accepts(schema: JsonObject, value: JsonValue): boolean {
  const compiled = compileSchema(schema, { unsupportedPatterns: "ignore" });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  return compiled.validator.validate(value).length === 0;
}
