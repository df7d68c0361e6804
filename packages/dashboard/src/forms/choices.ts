import { isSchema, type SchemaObject } from "../values/local-schema.ts";

/** One of the values that a schema allows. */
export interface Choice {
  /** Unique among the choices of the field. */
  readonly label: string;
  /** JSON text of the value. */
  readonly text: string;
}

/** The allowed values of a schema that lists them: by `enum`, `const`, or `oneOf` constants with titles. */
export function choicesOf(schema: SchemaObject): readonly Choice[] | undefined {
  if ("const" in schema) return named([{ value: schema["const"] }]);
  if (Array.isArray(schema["enum"])) return named((schema["enum"] as readonly unknown[]).map((value) => ({ value })));
  const alternatives = schema["oneOf"] ?? schema["anyOf"];
  if (!Array.isArray(alternatives)) return undefined;
  const constants = (alternatives as readonly unknown[]).flatMap((one) =>
    isSchema(one) && "const" in one ? [{ value: one["const"], title: one["title"] }] : [],
  );
  return constants.length === alternatives.length ? named(constants) : undefined;
}

function named(
  values: readonly { readonly value: unknown; readonly title?: unknown }[],
): readonly Choice[] | undefined {
  if (values.length === 0) return undefined;
  const choices = values.map(({ value, title }) => {
    const text = JSON.stringify(value);
    return { label: typeof title === "string" ? title : typeof value === "string" ? value : text, text };
  });
  const labels = choices.map(({ label }) => label);
  // Choices with the same words are told apart by their JSON.
  return choices.map(({ label, text }) =>
    labels.indexOf(label) === labels.lastIndexOf(label) ? { label, text } : { label: text, text },
  );
}
