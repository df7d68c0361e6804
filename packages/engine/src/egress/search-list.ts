/** The system's configuration for names that are not fully qualified. */
export interface SearchList {
  /** Domains that are appended to such a name, in order. */
  readonly domains: readonly string[];
  /** A name with fewer dots is looked up with the domains first. */
  readonly ndots: number;
}

/** The bound of glibc. */
const maxNdots = 15;

/** Maximum number of domains, since each may cost a question. Kubernetes configures three to six. */
const maxDomains = 16;

/** Reads `search`, `domain` and `options ndots` of a resolv.conf. The last line of `search` or `domain` wins. */
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

/** The names to look up in turn. A name that ends with a dot is fully qualified and looked up unchanged. */
export function namesToAsk(hostname: string, { domains, ndots }: SearchList): readonly string[] {
  if (hostname.endsWith(".")) return [hostname.slice(0, -1)];
  const dots = hostname.split(".").length - 1;
  const below = domains.map((domain) => `${hostname}.${domain}`).filter((name) => name.length <= 253);
  return dots >= ndots ? [hostname, ...below] : [...below, hostname];
}
