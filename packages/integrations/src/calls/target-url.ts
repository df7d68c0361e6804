import { readsAsDots } from "./path-segment.ts";
import { unsendable } from "./unsendable.ts";

/** Of a template; with its parameters a path may be longer. */
const maxTemplateCharacters = 8_192;

/**
 * The URL of an operation: the base, then the template with its `{parameters}` filled in.
 *
 * @param request.baseUrl without query; whether it ends with a slash does not matter
 * @param request.template a path as OpenAPI writes it: `/payments/{id}`
 * @param request.written what stands in the place of a parameter, encoded for one segment; `""` when it has no value
 * @throws OutgoingError `invalid_input` when a parameter is missing or when the result is not exactly as deep below the
 *   base as the template says
 */
export function targetUrl(request: {
  readonly baseUrl: string;
  readonly template: string;
  readonly written: (name: string) => string;
}): URL {
  const base = new URL(request.baseUrl);
  const basePath = base.pathname.replace(/\/$/, "");
  const filled = request.template.replace(/\{([^{}]*)\}/g, (_placeholder, name: string) => {
    const text = request.written(name);
    if (text === "") throw unsendable(`The path parameter "${name}" is missing or empty.`);
    return text;
  });
  const path = `${basePath}/${filled.replace(/^\//, "")}`;
  const url = new URL(base.origin + path);
  const keepsItsPlace =
    request.template.length <= maxTemplateCharacters &&
    url.origin === base.origin &&
    url.pathname.startsWith(`${basePath}/`) &&
    url.pathname.split("/").length === path.split(/[/\\]/).length &&
    !filled.split("/").some(readsAsDots) &&
    url.search === "" &&
    url.hash === "";
  if (keepsItsPlace) return url;
  throw unsendable(`The path "${request.template}" does not stay below the connection's base URL.`);
}
