/** A part of a template text, in order. */
export type TemplatePart =
  | { readonly kind: "text"; readonly text: string }
  /** `start`: position of the source in the template. */
  | { readonly kind: "expression"; readonly source: string; readonly start: number };

/** The reason why a text is not a template, and the position of the faulty part. */
export interface TemplateFault {
  readonly problem: string;
  readonly offset: number;
}

/**
 * Splits `Pay {{ input.amount }} now` into text and expressions. CEL's tokens determine the end of an expression:
 * braces of map literals are counted, and braces within quotes and comments are ignored. `}}` outside an expression is
 * text; a literal `{{` is written `{{ "{{" }}`.
 */
export function scanTemplate(template: string): { readonly parts: readonly TemplatePart[] } | TemplateFault {
  const parts: TemplatePart[] = [];
  let position = 0;
  for (;;) {
    const open = template.indexOf("{{", position);
    const text = template.slice(position, open === -1 ? undefined : open);
    if (text !== "") parts.push({ kind: "text", text });
    if (open === -1) return { parts };
    const close = endOfExpression(template, open + 2);
    if (typeof close !== "number") return { ...close, offset: open };
    parts.push({ kind: "expression", source: template.slice(open + 2, close), start: open + 2 });
    position = close + 2;
  }
}

/** The position of the `}}` that ends the expression that begins at `start`. */
function endOfExpression(template: string, start: number): number | { readonly problem: string } {
  let depth = 0;
  for (let position = start; position < template.length; position++) {
    switch (template.charAt(position)) {
      case "{":
        depth += 1;
        break;
      case "}":
        if (depth > 0) depth -= 1;
        else if (template[position + 1] === "}") return position;
        else return { problem: 'A "}" closes nothing: an expression ends in "}}".' };
        break;
      case '"':
      case "'": {
        const end = endOfText(template, position);
        if (end === undefined) return { problem: 'A text within "{{ }}" is not closed: its quote is missing.' };
        position = end;
        break;
      }
      case "/":
        if (template[position + 1] === "/") {
          const line = template.indexOf("\n", position);
          position = line === -1 ? template.length : line;
        }
        break;
    }
  }
  return { problem: 'A "{{" is not closed by "}}".' };
}

/**
 * The position of the last character of the quoted text that begins at `start`. A prefix such as `r` is before `start`.
 */
function endOfText(template: string, start: number): number | undefined {
  const quote = template[start] ?? "";
  const delimiter = template.startsWith(quote.repeat(3), start) ? quote.repeat(3) : quote;
  for (let position = start + delimiter.length; position < template.length; position++) {
    if (template[position] === "\\") position += 1;
    else if (template.startsWith(delimiter, position)) return position + delimiter.length - 1;
  }
  return undefined;
}
