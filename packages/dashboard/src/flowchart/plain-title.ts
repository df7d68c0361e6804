/**
 * The title of a node without its expressions, which only a run fills: `Pay {{ money(input.amount, "EUR") }}?` is
 * "Pay ‹amount›?". The name is that of the value; an expression of several values is "‹…›".
 */
export function plainTitle(template: string): string {
  return template.replaceAll(/\{\{(.*?)\}\}/gs, (_whole, expression: string) => `‹${valueName(expression)}›`);
}

function valueName(expression: string): string {
  const [first, ...others] = expression.matchAll(/\b(?:input|nodes|run)(?:\.\w+)+/g);
  const name = first?.[0].split(".").at(-1);
  return name === undefined || others.length > 0 ? "…" : name;
}
