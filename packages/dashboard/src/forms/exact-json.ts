/* JSON whose numbers are the digits that were written, so that neither `0.10` nor a number of 18 digits changes. */

/** The digits of a number in a JSON text. */
export class Digits {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Objects are maps, in which every name is a name, also `__proto__`. */
export type ExactJson = null | boolean | string | Digits | readonly ExactJson[] | ReadonlyMap<string, ExactJson>;

/** Reads a JSON text. @throws SyntaxError */
export function readExactJson(text: string): ExactJson {
  JSON.parse(text);
  // Each text begins with "s", and each number becomes a text that begins with "n".
  const marked = text.replaceAll(/"((?:[^"\\]|\\.)*)"|-?\d[\d.eE+-]*/g, (token, inner: string | undefined) =>
    inner === undefined ? `"n${token}"` : `"s${inner}"`,
  );
  return exactOf(JSON.parse(marked));
}

function exactOf(marked: unknown): ExactJson {
  if (typeof marked === "string") return marked.startsWith("n") ? new Digits(marked.slice(1)) : marked.slice(1);
  if (Array.isArray(marked)) return marked.map(exactOf);
  if (typeof marked === "object" && marked !== null) {
    return new Map(Object.entries(marked).map(([name, value]) => [name.slice(1), exactOf(value)]));
  }
  return marked as null | boolean;
}

/** The value of a document that was read already. */
export function exactJsonOf(value: unknown): ExactJson {
  return readExactJson(JSON.stringify(value));
}

/** JSON text with two spaces per level. */
export function writeExactJson(value: ExactJson, indent = ""): string {
  if (value instanceof Digits) return value.text;
  const deeper = `${indent}  `;
  if (value instanceof Map) {
    const members = [...(value as ReadonlyMap<string, ExactJson>)].map(
      ([name, member]) => `${deeper}${JSON.stringify(name)}: ${writeExactJson(member, deeper)}`,
    );
    return members.length === 0 ? "{}" : `{\n${members.join(",\n")}\n${indent}}`;
  }
  if (Array.isArray(value)) {
    const items = (value as readonly ExactJson[]).map((item) => deeper + writeExactJson(item, deeper));
    return items.length === 0 ? "[]" : `[\n${items.join(",\n")}\n${indent}]`;
  }
  return JSON.stringify(value);
}
