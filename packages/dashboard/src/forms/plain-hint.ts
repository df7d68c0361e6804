/** A description of a schema without the marks of code. */
export function plainHint(description: string): string {
  return description.replaceAll("`", "");
}
