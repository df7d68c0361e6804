import { readsAsDots } from "../openapi/operations/dot-segments.ts";
import { unsendable } from "./unsendable.ts";

/** Maximum length of a template. With its parameters, a path may be longer. */
const maxTemplateCharacters = 8_192;

/**
 * The URL of an operation: the base, then the template with its `{parameters}` filled in.
 *
 * @param request.baseUrl without query; a trailing slash is optional
 * @param request.template an OpenAPI path without a fragment: `/payments/{id}`
 * @param request.written the value of a parameter, encoded for one segment; `""` when it has no value
 * @throws EgressError `invalid_input` when a parameter is missing, when a segment reads as `.` or `..`, or when the
 *   result is not exactly as deep below the base as the template
 */
export function targetUrl(request: {
  readonly baseUrl: string;
  readonly template: string;
  readonly written: (name: string) => string;
}): URL {
  const base = new URL(request.baseUrl);
  const basePath = base.pathname.replace(/\/$/, "");
  const escapes = unsendable(`The path "${request.template}" does not stay below the connection's base URL.`);
  if (request.template.length > maxTemplateCharacters) throw escapes;
  const filled = request.template.replace(/\{([^{}]*)\}/g, (_placeholder, name: string) => {
    const text = request.written(name);
    if (text === "") throw unsendable(`The path parameter "${name}" is missing or empty.`);
    return text;
  });
  if (filled.split("/").some(readsAsDots)) {
    throw unsendable(`A segment of the path "${request.template}" reads as "." or ".." with these arguments.`);
  }
  const path = `${basePath}/${filled.replace(/^\//, "")}`;
  const url = new URL(base.origin + path);
  const keepsItsPlace =
    url.origin === base.origin &&
    url.pathname.startsWith(`${basePath}/`) &&
    url.pathname.split("/").length === path.split(/[/\\]/).length &&
    url.search === "" &&
    url.hash === "";
  if (keepsItsPlace) return url;
  throw escapes;
}
