export type SchemaObject = { readonly [keyword: string]: unknown };

export function isSchema(value: unknown): value is SchemaObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const maxSteps = 10;

/**
 * The schema at the end of references within the document, of a single alternative, and of an alternative beside null.
 * A title, description and default beside a reference take precedence. `undefined` when there is nothing at the end.
 */
export function localSchema(given: unknown, root: unknown): SchemaObject | undefined {
  let schema = given;
  let around: SchemaObject = {};
  for (let steps = 0; steps < maxSteps; steps++) {
    if (!isSchema(schema)) return undefined;
    const next = target(schema, root);
    if (next === none) return { ...schema, ...around };
    const { title, description, default: standard } = schema;
    around = { ...defined({ title, description, default: standard }), ...around };
    schema = next;
  }
  return undefined;
}

const none = Symbol("none");

function target(schema: SchemaObject, root: unknown): unknown {
  const reference = schema["$ref"];
  if (typeof reference === "string") return reference.startsWith("#") ? at(root, reference.slice(1)) : undefined;
  if ("properties" in schema || "type" in schema) return none;
  for (const keyword of ["allOf", "anyOf", "oneOf"]) {
    const all = schema[keyword];
    if (!Array.isArray(all)) continue;
    const others = (all as readonly unknown[]).filter((one) => !isSchema(one) || one["type"] !== "null");
    if (others.length === 1) return others[0];
  }
  return none;
}

function at(root: unknown, pointer: string): unknown {
  let value: unknown = root;
  for (const segment of pointer.split("/").slice(1)) {
    const name = decodeURIComponent(segment).replaceAll("~1", "/").replaceAll("~0", "~");
    if (!isSchema(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

function defined(values: SchemaObject): SchemaObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
