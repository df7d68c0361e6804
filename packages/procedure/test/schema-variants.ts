import { procedureDocumentSchema } from "@procedo/contract";

/** Any zod schema. */
interface Schema {
  readonly _zod: { readonly def: unknown };
  meta(): { readonly description?: string | undefined } | undefined;
}

interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly element?: Schema;
  readonly innerType?: Schema;
  readonly options?: readonly Schema[];
  readonly values?: readonly unknown[];
  readonly entries?: Readonly<Record<string, string>>;
}

/** A member of the document's schema. */
export interface SchemaMember {
  /** The tokens of its pointer in {@link wholeDocument}. */
  readonly path: readonly string[];
  readonly description: string;
  readonly isOptional: boolean;
  /** A scalar, or an object of any members. */
  readonly isLeaf: boolean;
  /** A value that differs from the one in {@link wholeDocument}. */
  readonly other: unknown;
}

/** A document in which every member of the schema is present, with one node of each kind. Not publishable. */
export function wholeDocument(): unknown {
  return sample(procedureDocumentSchema, 1, []);
}

/** Every member of the document's schema, at every depth, as {@link wholeDocument} contains them. */
export function schemaMembers(): readonly SchemaMember[] {
  return membersOf(procedureDocumentSchema, []);
}

const definitionOf = (schema: Schema): Definition => schema._zod.def as Definition;

function membersOf(schema: Schema, path: readonly string[]): readonly SchemaMember[] {
  const { innerType, shape, element, options } = definitionOf(schema);
  if (innerType !== undefined) return membersOf(innerType, path);
  if (options !== undefined) throw new Error(`Options are expected in a list: ${path.join("/")}`);
  if (element !== undefined) {
    const kinds = definitionOf(element).options ?? [element];
    return kinds.flatMap((kind, index) => membersOf(kind, [...path, String(index)]));
  }
  return Object.entries(shape ?? {}).flatMap(([name, member]) => {
    const its = [...path, name];
    const own: SchemaMember = {
      path: its,
      description: member.meta()?.description ?? "",
      isOptional: definitionOf(member).type === "optional",
      isLeaf: isLeaf(member),
      other: sample(member, 2, its),
    };
    return [own, ...membersOf(member, its)];
  });
}

function isLeaf(schema: Schema): boolean {
  const { innerType, shape, element } = definitionOf(schema);
  return innerType === undefined ? shape === undefined && element === undefined : isLeaf(innerType);
}

function sample(schema: Schema, variant: number, path: readonly string[]): unknown {
  const { type, innerType, shape, element, options, values, entries } = definitionOf(schema);
  if (innerType !== undefined) return sample(innerType, variant, path);
  if (shape !== undefined) {
    return Object.fromEntries(
      Object.entries(shape).map(([name, member]) => [name, sample(member, variant, [...path, name])]),
    );
  }
  if (element !== undefined) {
    const kinds = definitionOf(element).options ?? [element];
    return kinds.map((kind, index) => sample(kind, variant, [...path, String(index)]));
  }
  switch (type) {
    case "string":
      return `${path.join("_")}_${variant}`;
    case "number":
      return variant;
    case "boolean":
      return variant === 1;
    case "literal":
      return variant === 1 ? values?.[0] : `other than ${String(values?.[0])}`;
    case "enum":
      return Object.values(entries ?? {})[variant - 1];
    case "unknown":
      return { any: variant };
    default:
      throw new Error(`The test knows no ${options === undefined ? type : "options"} at ${path.join("/")}.`);
  }
}
