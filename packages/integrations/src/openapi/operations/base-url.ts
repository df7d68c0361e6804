import type { JsonObject, JsonValue } from "@procedo/contract";
import type { ImportProblem } from "../imported-api.ts";
import { type ProblemSink, shown, warningAt } from "../problem-list.ts";
import { isObject, own } from "../schema/json-object.ts";
import { isList } from "./is-list.ts";
import { jsonPointer } from "@procedo/contract/syntax";

const naming = "name the connection's base URL yourself.";

/** The first usable server of OpenAPI 3.0's `servers`, with warnings for the servers before it. */
export function readServers(root: JsonObject, problems: ProblemSink): string | undefined {
  const servers = own(root, "servers") ?? undefined;
  if (servers === undefined || (isList(servers) && servers.length === 0)) {
    problems.push(warningAt("", `The document names no server; ${naming}`));
    return undefined;
  }
  if (!isList(servers)) {
    problems.push(warningAt("/servers", `must be a list, not ${shown(servers)}; ${naming}`));
    return undefined;
  }
  let first: string | undefined;
  for (const [index, server] of servers.slice(0, maxServers).entries()) {
    const url = readServer(server, `/servers/${index}`, problems);
    first ??= url;
  }
  return first;
}

/** Documents usually name two or three. */
const maxServers = 1_000;

/** Warns of servers of an operation or a path, which are never used. */
export function warnOfOwnServers(owner: JsonObject, pointer: string): readonly ImportProblem[] {
  const servers = own(owner, "servers") ?? undefined;
  if (servers === undefined || (isList(servers) && servers.length === 0)) return [];
  const urls = (isList(servers) ? servers : []).map((server) =>
    isObject(server) && typeof server["url"] === "string" ? withoutCredentials(server["url"]) : server,
  );
  const named = urls.length === 0 ? "" : ` (${urls.slice(0, 3).map(shown).join(", ")})`;
  return [
    warningAt(`${pointer}/servers`, `A server of its own${named} is not used; calls go to the connection's base URL.`),
  ];
}

function readServer(server: JsonValue, pointer: string, problems: ProblemSink): string | undefined {
  const url = isObject(server) ? own(server, "url") : undefined;
  if (!isObject(server) || typeof url !== "string") {
    problems.push(warningAt(pointer, `must be an object with a "url" that is a text; ${naming}`));
    return undefined;
  }
  const variables = own(server, "variables");
  let missing: string | undefined;
  const filled = url.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
    const value = defaultOf(variables, name, `${pointer}/variables`, problems);
    if (value === undefined) missing ??= name;
    return value ?? "";
  });
  const fault =
    missing === undefined
      ? faultOfAddress(filled)
      : `The variable ${shown(missing)} has no default that is a text, so that the address is not known`;
  if (fault === undefined) return filled;
  problems.push(warningAt(`${pointer}/url`, `${fault}; ${naming}`));
  return undefined;
}

function defaultOf(
  variables: JsonValue | undefined,
  name: string,
  pointer: string,
  problems: ProblemSink,
): string | undefined {
  const variable = isObject(variables) ? own(variables, name) : undefined;
  const value = isObject(variable) ? own(variable, "default") : undefined;
  if (!isObject(variable) || (typeof value !== "string" && typeof value !== "number")) return undefined;
  const allowed = own(variable, "enum");
  if (isList(allowed) && !allowed.includes(value)) {
    const message = `${shown(value)} is not one of the variable's values; it was used anyway.`;
    problems.push(warningAt(`${pointer}${jsonPointer([name])}/default`, message));
  }
  return String(value);
}

/** The reason why calls cannot be sent to the address. Each call checks separately whether it is allowed. */
function faultOfAddress(address: string): string | undefined {
  const shownAddress = shown(withoutCredentials(address));
  if (/[\p{Cc}\s\\]/u.test(address)) return `${shownAddress} contains characters that are not allowed in a URL`;
  if (!/^[a-z][a-z0-9+.-]*:/i.test(address)) return `${shownAddress} is relative to the document's address`;
  const url = URL.parse(address);
  if (url === null) return `${shownAddress} is no URL`;
  if (url.protocol !== "https:" && url.protocol !== "http:") return `${shownAddress} uses neither https nor http`;
  if (url.username !== "" || url.password !== "") return `${shownAddress} carries credentials`;
  if (url.search !== "" || url.hash !== "") return `${shownAddress} has a query or a fragment`;
  return undefined;
}

/** The text before an `@` may be a password. */
const withoutCredentials = (address: string): string => address.replace(/\/\/[^/?#]*@/, "//…@");

/** Swagger 2.0's `schemes`, `host` and `basePath`. Prefers https. */
export function readHost(root: JsonObject, problems: ProblemSink): string | undefined {
  const [host, basePath] = [own(root, "host") ?? undefined, own(root, "basePath") ?? "/"];
  if (host === undefined) {
    problems.push(warningAt("", `The document names no host; ${naming}`));
    return undefined;
  }
  if (typeof host !== "string" || typeof basePath !== "string") {
    const [pointer, value] = typeof host === "string" ? ["/basePath", basePath] : ["/host", host];
    problems.push(warningAt(pointer, `must be a text, not ${shown(value)}; ${naming}`));
    return undefined;
  }
  const scheme = schemeOf(root, problems);
  if (scheme === undefined) return undefined;
  if (host === "" || /[/?#@\\{}]/.test(host)) {
    problems.push(warningAt("/host", `must be a host with or without a port, not ${shown(host)}; ${naming}`));
    return undefined;
  }
  const address = `${scheme}://${host}${basePath === "/" ? "" : basePath.replace(/^(?!\/)/, "/")}`;
  const fault = faultOfAddress(address);
  if (fault === undefined) return address;
  problems.push(warningAt("/host", `${fault}; ${naming}`));
  return undefined;
}

function schemeOf(root: JsonObject, problems: ProblemSink): "https" | "http" | undefined {
  const schemes = own(root, "schemes") ?? undefined;
  // Without `schemes`, the scheme is that of the document's own address, which is unknown here. https protects the
  // credentials in each request.
  if (schemes === undefined || (isList(schemes) && schemes.length === 0)) return "https";
  if (isList(schemes)) {
    const usable = (["https", "http"] as const).find((scheme) => schemes.includes(scheme));
    if (usable !== undefined) return usable;
  }
  problems.push(warningAt("/schemes", `must be a list with "https" or "http"; ${naming}`));
  return undefined;
}
