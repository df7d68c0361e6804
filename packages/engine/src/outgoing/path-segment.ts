import { OutgoingError } from "./outgoing-error.ts";

const maxCharacters = 2048;

/**
 * Encodes a parameter as one path segment. `encodeURIComponent` alone is not enough: it leaves `..` as it is, URL
 * parsers also collapse `%2e%2e`, and some servers decode twice, cut off what follows `;` or read a backslash as a slash.
 *
 * @throws OutgoingError `invalid_input` for a value that is not a non-empty string, finite number or boolean, is longer than 2,048
 *   characters, has control characters, or could be read as `.` or `..` after any number of decodings
 */
export function encodePathSegment(name: string, value: unknown): string {
  const text = typeof value === "string" ? value : isPlain(value) ? String(value) : undefined;
  if (text === undefined) throw refuse(name, "has to be a string, number or boolean");
  if (text === "") throw refuse(name, "is empty");
  if (text.length > maxCharacters) throw refuse(name, `is longer than ${maxCharacters} characters`);
  if (!text.isWellFormed()) throw refuse(name, "has half of a surrogate pair");
  const decoded = decodeFully(text);
  if (hasControl(decoded)) throw refuse(name, "has a control character");
  // NFKC because a server may fold look-alikes of dots and slashes to the real ones.
  if (decoded.normalize("NFKC").split(/[/\\]/).some(isDots)) throw refuse(name, 'has a part that reads as "." or ".."');
  return encodeURIComponent(text);
}

/**
 * The URL of an operation: the base, then the template with its `{parameters}` filled in.
 *
 * @param request.baseUrl without query; whether it ends with a slash does not matter
 * @param request.template a path as OpenAPI writes it: `/payments/{id}`
 * @throws OutgoingError `invalid_input` when a parameter is missing or cannot be a segment, or when the result is not
 *   exactly as deep below the base as the template says
 */
export function targetUrl(request: {
  readonly baseUrl: string | URL;
  readonly template: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}): URL {
  const base = new URL(request.baseUrl);
  const basePath = base.pathname.replace(/\/$/, "");
  const filled = request.template.replace(/\{([^{}]*)\}/g, (_placeholder, name: string) => {
    const value = Object.hasOwn(request.parameters, name) ? request.parameters[name] : undefined;
    return encodePathSegment(name, value);
  });
  const path = `${basePath}/${filled.replace(/^\//, "")}`;
  const url = new URL(base.origin + path);
  const keepsItsPlace =
    url.origin === base.origin &&
    url.pathname.startsWith(`${basePath}/`) &&
    url.pathname.split("/").length === path.split(/[/\\]/).length &&
    url.search === "" &&
    url.hash === "";
  if (keepsItsPlace) return url;
  throw new OutgoingError("request", `The path "${request.template}" does not stay below the connection's base URL.`, {
    sent: "no",
  });
}

function isPlain(value: unknown): value is number | boolean {
  return typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value));
}

/** Each round makes the text shorter or leaves it, so this ends. */
function decodeFully(text: string): string {
  const decoded = text.replace(/%([0-9a-f]{2})/gi, (_escape, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return decoded === text ? text : decodeFully(decoded);
}

function hasControl(text: string): boolean {
  return [...text].some((character) => character < " " || character === "\u007f");
}

function isDots(part: string): boolean {
  const beforeParameters = part.split(";", 1)[0]?.trim();
  return beforeParameters === "." || beforeParameters === "..";
}

function refuse(name: string, why: string): OutgoingError {
  return new OutgoingError("request", `The path parameter "${name}" ${why}.`, { sent: "no" });
}
