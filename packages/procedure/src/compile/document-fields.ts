import { procedureDocumentSchema } from "@procedo/contract";

/** Any zod schema. */
interface Schema {
  readonly _zod: { readonly def: unknown };
}

/** The parts of a zod schema that a document's schema is made of. */
interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly element?: Schema;
  readonly innerType?: Schema;
  readonly options?: readonly Schema[];
}

/** The fields that an object at this path of a document may have. Empty if the schema has no fixed fields there. */
export function fieldsAt(document: unknown, path: readonly PropertyKey[]): readonly string[] {
  let schema: Schema | undefined = procedureDocumentSchema;
  let value = document;
  for (const token of path) {
    schema = memberSchema(schema, value, token);
    value = typeof value === "object" && value !== null ? (value as Record<PropertyKey, unknown>)[token] : undefined;
  }
  return Object.keys(definitionOf(schema, value)?.shape ?? {});
}

function memberSchema(schema: Schema | undefined, value: unknown, token: PropertyKey) {
  const definition = definitionOf(schema, value);
  if (definition?.element !== undefined) return definition.element;
  const shape = definition?.shape ?? {};
  return typeof token === "string" && Object.hasOwn(shape, token) ? shape[token] : undefined;
}

/** The definition behind an optional schema, or behind the kind that a node states. */
function definitionOf(schema: Schema | undefined, value: unknown): Definition | undefined {
  const definition = schema?._zod.def as Definition | undefined;
  if (definition?.innerType !== undefined) return definitionOf(definition.innerType, value);
  if (definition?.options === undefined) return definition;
  const kind = typeof value === "object" && value !== null && "kind" in value ? value.kind : undefined;
  return definition.options
    .map((option) => option._zod.def as Definition)
    .find(
      (option) => (option.shape?.["kind"]?._zod.def as { readonly values?: readonly unknown[] }).values?.[0] === kind,
    );
}
