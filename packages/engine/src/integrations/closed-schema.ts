import * as z from "zod";

/**
 * Makes the object schemas of arguments reject unknown members, at every depth, unless one says otherwise
 * (`z.looseObject`, `catchall`). An argument that was shown and approved must not be dropped.
 */
export function closedSchema(input: z.ZodObject): z.ZodObject {
  return closing()(input) as z.ZodObject;
}

/** Closes schemas, each once: a recursive schema leads back to itself. */
function closing(): (schema: z.core.$ZodType) => z.core.$ZodType {
  const closed = new Map<z.core.$ZodType, z.core.$ZodType>();
  const close = (schema: z.core.$ZodType): z.core.$ZodType => {
    const known = closed.get(schema);
    if (known !== undefined) return known;
    const def = closedDef(schema, close);
    // The parent keeps descriptions and other metadata.
    const made = def === undefined ? schema : z.core.clone(schema, def, { parent: true });
    closed.set(schema, made);
    return made;
  };
  return close;
}

type Close = (schema: z.core.$ZodType) => z.core.$ZodType;

/** The definition with closed parts; `undefined` for a schema without parts. */
function closedDef(schema: z.core.$ZodType, close: Close): z.core.$ZodTypeDef | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const withParts = (parts: object): z.core.$ZodTypeDef => ({ ...def, ...parts });
  switch (def.type) {
    case "object":
      return withParts({ shape: closedShape(def.shape, close), catchall: def.catchall ?? z.never() });
    case "array":
      return withParts({ element: close(def.element) });
    case "union":
      return withParts({ options: def.options.map(close) });
    case "tuple":
      return withParts({ items: def.items.map(close), rest: def.rest && close(def.rest) });
    case "record":
      return withParts({ valueType: close(def.valueType) });
    case "pipe":
      return withParts({ in: close(def.in) });
    case "lazy":
      return withParts({ getter: () => close(def.getter()) });
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
    case "nonoptional":
    case "catch":
    case "readonly":
      return withParts({ innerType: close(def.innerType) });
    default:
      return undefined;
  }
}

/** Members are read late, because a member of a recursive schema is only there once the schema is. */
function closedShape(shape: z.core.$ZodShape, close: Close): z.core.$ZodShape {
  const closed: { [name: string]: z.core.$ZodType } = {};
  for (const name of Object.keys(shape)) {
    Object.defineProperty(closed, name, {
      enumerable: true,
      get: () => {
        const member = shape[name];
        return member && close(member);
      },
    });
  }
  return closed;
}
