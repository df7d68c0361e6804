import type { JsonObject, JsonValue } from "@procedo/contract";
import type { ImportProblem } from "../imported-api.ts";
import { type ProblemSink, shown, warningAt } from "../problem-list.ts";
import { isObject, own } from "../schema/json-object.ts";
import { isList } from "./is-list.ts";
import { jsonPointer } from "@procedo/contract/syntax";
import { followReference, type Reading } from "./reading.ts";

const methods = "API key in a header or in the query, bearer token, basic, OAuth 2.0, or none";

/** Reports security schemes that no connection supports. Calls carry the connection's credential in any case. */
export interface SecuritySchemes {
  /** Problems of a `security` list that refers to schemes. */
  check(owner: JsonObject, pointer: string, problems: ProblemSink): void;
}

export function readSecuritySchemes(reading: Reading, problems: ProblemSink): SecuritySchemes {
  const { value: schemes, pointer } = declaredSchemes(reading);
  if (schemes !== undefined && !isObject(schemes)) {
    problems.push(warningAt(pointer, `must be an object of security schemes, not ${shown(schemes)}.`));
  }
  const known = isObject(schemes) ? schemes : {};
  for (const [name, scheme] of Object.entries(known)) {
    if (name.startsWith("x-")) continue;
    const fault = faultOfScheme(reading, scheme, pointer + jsonPointer([name]));
    if (fault !== undefined) problems.push(fault);
  }
  return {
    check: (owner, at, found) => checkRequirements(own(owner, "security"), `${at}/security`, known, found),
  };
}

function declaredSchemes({ dialect, root }: Reading): { value: JsonValue | undefined; pointer: string } {
  if (dialect === "swagger-2.0") return { value: own(root, "securityDefinitions"), pointer: "/securityDefinitions" };
  const components = own(root, "components");
  const value = isObject(components) ? own(components, "securitySchemes") : undefined;
  return { value, pointer: "/components/securitySchemes" };
}

function faultOfScheme(reading: Reading, value: JsonValue, pointer: string): ImportProblem | undefined {
  const found = followReference(reading, value, pointer);
  if (!found.ok) return { ...found.problem, severity: "warning" };
  const type = own(found.value, "type");
  const unsupported = (what: string): ImportProblem =>
    warningAt(pointer, `${what} is none of the methods that a connection has: ${methods}.`);
  switch (type) {
    case "apiKey": {
      const where = own(found.value, "in");
      return where === "header" || where === "query" ? undefined : unsupported(`An API key in ${shown(where)}`);
    }
    case "basic":
      return undefined;
    case "http": {
      const scheme = own(found.value, "scheme");
      // RFC 9110, section 11.1: scheme names are case-insensitive.
      const name = typeof scheme === "string" ? scheme.toLowerCase() : undefined;
      return name === "bearer" || name === "basic" ? undefined : unsupported(`HTTP authentication ${shown(scheme)}`);
    }
    case "oauth2":
    case "openIdConnect": {
      const wanted = "The connection names the authorization server, by the method oauth2 or client_credentials.";
      return warningAt(pointer, `${shown(type)}: its addresses are not read from the document. ${wanted}`);
    }
    default:
      return unsupported(`The type ${shown(type)}`);
  }
}

function checkRequirements(
  security: JsonValue | undefined,
  pointer: string,
  known: JsonObject,
  problems: ProblemSink,
): void {
  if (security === undefined) return;
  if (!isList(security)) {
    problems.push(warningAt(pointer, `must be a list, not ${shown(security)}; it was ignored.`));
    return;
  }
  for (const [index, alternative] of security.entries()) {
    const at = `${pointer}/${index}`;
    if (!isObject(alternative)) {
      problems.push(warningAt(at, `must be an object, not ${shown(alternative)}; it was ignored.`));
      continue;
    }
    for (const name of Object.keys(alternative)) {
      if (Object.hasOwn(known, name)) continue;
      const message = `The security scheme ${shown(name)} is not declared; calls carry the connection's credential anyway.`;
      problems.push(warningAt(at + jsonPointer([name]), message));
    }
  }
}
