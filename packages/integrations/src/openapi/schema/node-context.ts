import type { JsonObject, JsonValue } from "@procedo/contract";
import type { ApiDocument } from "../document/api-document.ts";
import type { AlternativeRule } from "./discriminator.ts";
import type { PatternReader } from "./patterns.ts";
import type { SchemaPurpose } from "./schema-purpose.ts";
import type { SchemaGroup } from "./schema-unit.ts";

/** What the translation of a schema asks of its surroundings. */
export interface NodeContext {
  readonly dialect: ApiDocument["dialect"];
  readonly purpose: SchemaPurpose;
  /** From the unit's own place to the schema being translated. */
  readonly path: (string | number)[];
  /** Reports a problem of the schema at `path`, or of something within it. */
  report(severity: "error" | "warning", message: string, ...at: readonly (string | number)[]): void;
  /** The translated form of a `$ref`, entered into the group. */
  refer(ref: JsonValue, group: SchemaGroup, asPart: boolean): JsonObject;
  readonly readPattern: PatternReader;
  /** Stands for a schema that a reference does not lead to. `message` is a whole sentence. */
  lose(keyword: string, message: string): JsonObject;
  openGroup(): SchemaGroup;
  /** Names of the members that the schema and the parts of its `allOf` leave out for the purpose. */
  leftOut(schema: JsonObject): ReadonlySet<string>;
  /** Whether a member with this schema is left out for the purpose. */
  isLeftOut(schema: JsonValue): boolean;
  alternativeRule(schema: JsonObject): AlternativeRule;
}
