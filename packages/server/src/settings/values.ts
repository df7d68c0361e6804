import type { ErrorDetail } from "@procedo/contract";

/** Environment variables of a server, as in `process.env`. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** A value, or the fault with the allowed values. A fault never contains a secret. */
export type Reading<T> = { readonly value: T } | { readonly wrong: string };

/** Reads one variable; an empty one counts as unset. */
export type Read = <T>(name: string, fallback: T, parse: (text: string) => Reading<T>) => T;

/** Records a problem for each invalid variable, then reads its fallback. */
export function reader(env: Variables, problems: ErrorDetail[]): Read {
  return (name, fallback, parse) => {
    const text = env[name]?.trim();
    if (text === undefined || text === "") return fallback;
    const reading = parse(text);
    if ("value" in reading) return reading.value;
    problems.push({ path: `/${name}`, message: `${name} ${reading.wrong}` });
    return fallback;
  };
}

export function address(text: string): Reading<string> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isAddress =
    url !== undefined &&
    ["http:", "https:"].includes(url.protocol) &&
    [url.username, url.password, url.search, url.hash].every((part) => part === "");
  // Paths are appended, and they begin with a slash.
  if (isAddress) return { value: url.href.replace(/\/$/, "") };
  // A malformed address may still contain a password.
  const shown = text.includes("@") ? "seems to contain credentials" : `is "${text}"`;
  return { wrong: `${shown}. Give an http or https address without credentials, query or fragment.` };
}

export function onOrOff(text: string): Reading<boolean> {
  const value = oneOf(["on", "off"], text);
  return "value" in value ? { value: value.value === "on" } : value;
}

export function whole(text: string, least: number, most: number): Reading<number> {
  const value = /^\d{1,7}$/.test(text) ? Number(text) : -1;
  if (value >= least && value <= most) return { value };
  return { wrong: `is "${text}". Give a number from ${least} to ${most}.` };
}

export function oneOf<const T extends string>(values: readonly T[], text: string): Reading<T> {
  const value = values.find((known) => known === text);
  return value === undefined ? { wrong: `is "${text}". Give one of ${values.join(", ")}.` } : { value };
}
