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

/**
 * What a page reads of its address: the named parameters, each valid or missing. The router adds what it reads to the
 * parameters as given, so that a parameter which is not valid has to be named as missing.
 */
export function searchReader<Read extends object>(
  names: readonly (keyof Read & string)[],
  read: (search: Search) => Read,
): (search: Search) => Read {
  const missing = Object.fromEntries(names.map((name) => [name, undefined]));
  return (search) => ({ ...missing, ...read(search) });
}

/** Reads named parameters, which are texts that are not empty. */
export function textSearch<const Name extends string>(
  ...names: readonly Name[]
): (search: Search) => { readonly [Each in Name]?: string } {
  return searchReader<{ [Each in Name]?: string }>(names, (search) => {
    const given = names.filter((name) => typeof search[name] === "string" && search[name] !== "");
    return Object.fromEntries(given.map((name) => [name, search[name]])) as { [Each in Name]?: string };
  });
}
