/** One step of a JSON pointer (RFC 6901). */
export const token = (name: string | number): string => `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
