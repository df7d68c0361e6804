/** What the system's resolver configuration says about names that are not whole. */
export interface SearchList {
  /** Domains that such a name may be below, in order. */
  readonly domains: readonly string[];
  /** A name with fewer dots is looked for below the domains first. */
  readonly ndots: number;
}

/** As glibc bounds them. */
const maxNdots = 15;

/** Each domain may cost a question; Kubernetes gives three to six. */
const maxDomains = 16;

/** Reads `search`, `domain` and `options ndots` of a resolv.conf; the last line of `search` and `domain` counts. */
export function readSearchList(text: string): SearchList {
  let domains: readonly string[] = [];
  let ndots = 1;
  for (const line of text.split("\n")) {
    const [keyword, ...values] = line.trim().split(/\s+/);
    if (keyword === "search") domains = values;
    else if (keyword === "domain") domains = values.slice(0, 1);
    else if (keyword === "options") {
      const [, digits] = values.map((value) => /^ndots:(\d{1,3})$/.exec(value)).find((match) => match !== null) ?? [];
      if (digits !== undefined) ndots = Math.min(Number(digits), maxNdots);
    }
  }
  const usable = domains.map((domain) => domain.replace(/^\.+|\.+$/g, "")).filter((domain) => domain !== "");
  return { domains: usable.slice(0, maxDomains), ndots };
}

/** The names to ask for in turn. One that ends in a dot is whole, and asked for as it is. */
export function namesToAsk(hostname: string, { domains, ndots }: SearchList): readonly string[] {
  if (hostname.endsWith(".")) return [hostname.slice(0, -1)];
  const dots = hostname.split(".").length - 1;
  const below = domains.map((domain) => `${hostname}.${domain}`).filter((name) => name.length <= 253);
  return dots >= ndots ? [hostname, ...below] : [...below, hostname];
}
