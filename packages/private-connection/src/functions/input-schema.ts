/** The result of a zod schema's check of a value. */
export type SchemaCheck =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: { readonly issues: readonly SchemaIssue[] } };

export interface SchemaIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

interface Checking {
  safeParseAsync(value: unknown): Promise<SchemaCheck>;
}

/** A schema of zod 4, possibly of another installed copy: only its shape counts. */
export interface Zod4Schema extends Checking {
  readonly _zod: { readonly input: unknown; readonly output: unknown; readonly def: { readonly type: string } };
}

/** A schema of zod 3. */
export interface Zod3Schema extends Checking {
  readonly _input: unknown;
  readonly _output: unknown;
  readonly _def: object;
}

/** A schema that describes a function's input: an object of zod 4 or zod 3. */
export type InputSchema = Zod4Schema | Zod3Schema;

/** The input that callers send. Fields with defaults may be omitted. */
export type InputOf<Schema> = Schema extends { readonly _zod: { readonly input: infer Input } }
  ? Input
  : Schema extends { readonly _input: infer Input }
    ? Input
    : never;

/** The handler's input, with defaults and transforms applied. */
export type ParsedInput<Schema> = Schema extends { readonly _zod: { readonly output: infer Output } }
  ? Output
  : Schema extends { readonly _output: infer Output }
    ? Output
    : never;

export function isZod4(schema: InputSchema): schema is Zod4Schema {
  return "_zod" in schema;
}

export function isInputSchema(value: unknown): value is InputSchema {
  if (typeof value !== "object" || value === null) return false;
  return "safeParseAsync" in value && ("_zod" in value || "_def" in value);
}
