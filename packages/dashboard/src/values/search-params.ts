/* The search parameters of an address, which are always texts: "0012" and a number of 20 digits stay as written. */

type Search = Readonly<Record<string, unknown>>;

/** Reads `?status=failed&status=running&q=0012`. A parameter that is given several times is a list. */
export function readSearch(text: string): Record<string, string | readonly string[]> {
  const given = new URLSearchParams(text);
  return Object.fromEntries(
    [...new Set(given.keys())].map((name) => {
      const values = given.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? "") : values];
    }),
  );
}

/** The text that {@link readSearch} reads: "" without parameters. */
export function writeSearch(search: Search): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    for (const one of [value].flat())
      if (typeof one === "string" || typeof one === "number") given.append(name, String(one));
  }
  const text = given.toString();
  return text === "" ? "" : `?${text}`;
}
