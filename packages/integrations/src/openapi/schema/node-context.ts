import type { JsonObject, JsonValue } from "@procedo/contract";
import type { ApiDocument } from "../document/api-document.ts";
import type { AlternativeRule } from "./discriminator.ts";
import type { PatternReader } from "./patterns.ts";
import type { SchemaPurpose } from "./schema-purpose.ts";
import type { SchemaGroup } from "./schema-unit.ts";

/** The environment of a schema's translation. */
export interface NodeContext {
  readonly dialect: ApiDocument["dialect"];
  readonly purpose: SchemaPurpose;
  /** Path from the unit to the schema being translated. */
  readonly path: (string | number)[];
  /** Reports a problem of the schema at `path` or of a nested place. */
  report(severity: "error" | "warning", message: string, ...at: readonly (string | number)[]): void;
  /** The translated form of a `$ref`, added to the group. */
  refer(ref: JsonValue, group: SchemaGroup, asPart: boolean): JsonObject;
  readonly readPattern: PatternReader;
  /** Replacement for a schema without a target. `message` is a complete sentence. */
  lose(keyword: string, message: string): JsonObject;
  openGroup(): SchemaGroup;
  /** Names of the members that the schema and the parts of its `allOf` leave out for the purpose. */
  leftOut(schema: JsonObject): ReadonlySet<string>;
  /** Whether a member with this schema is left out for the purpose. */
  isLeftOut(schema: JsonValue): boolean;
  alternativeRule(schema: JsonObject): AlternativeRule;
}
