/* The access of people, as forms write it. */

/** Groups from a text with commas between them, each once. */
export function groupsOf(text: string): string[] {
  const groups = text.split(",").map((group) => group.trim());
  return [...new Set(groups.filter((group) => group !== ""))];
}

/** Whether two lists have the same members. */
export function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one) => b.includes(one));
}
