import { procedureDocumentSchema } from "@procedo/contract";
import type * as z from "zod";

/** The parts of a zod schema that a document's schema is made of. */
interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly element?: z.core.$ZodType;
  readonly innerType?: z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
}

/** The fields that an object at this place of a document may have; none where it is not an object of fixed fields. */
export function fieldsAt(document: unknown, path: readonly PropertyKey[]): readonly string[] {
  let schema: z.core.$ZodType | undefined = procedureDocumentSchema;
  let value = document;
  for (const token of path) {
    schema = memberSchema(schema, value, token);
    value = typeof value === "object" && value !== null ? (value as Record<PropertyKey, unknown>)[token] : undefined;
  }
  return Object.keys(definitionOf(schema, value)?.shape ?? {});
}

function memberSchema(schema: z.core.$ZodType | undefined, value: unknown, token: PropertyKey) {
  const definition = definitionOf(schema, value);
  if (definition?.element !== undefined) return definition.element;
  const shape = definition?.shape ?? {};
  return typeof token === "string" && Object.hasOwn(shape, token) ? shape[token] : undefined;
}

/** The definition of what an optional value may be, or of the kind of node that a value says it is. */
function definitionOf(schema: z.core.$ZodType | undefined, value: unknown): Definition | undefined {
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
