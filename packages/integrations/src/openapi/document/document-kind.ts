import type { JsonObject, JsonValue } from "@procedo/contract";
import type { ApiDocument } from "./api-document.ts";

const supported = "give a document of OpenAPI 3.0 or Swagger 2.0";

/**
 * Recognizes formats other than JSON and YAML by their beginning. `undefined` when the text may be a supported format.
 */
export function foreignText(text: string): string | undefined {
  const start = withoutComments(text.slice(0, 10_000));
  if (/^#%RAML\b/.test(text.trimStart())) return `RAML is not supported; ${supported}.`;
  if (/^<(?:!doctype\s+html|html|head|body)\b/i.test(start)) {
    return `This is an HTML page, not an API document; ${supported}, or the address of the document itself.`;
  }
  if (/^<(?:\?xml[^>]*\?>\s*)?(?:[<\s]*)(?:[\w-]+:)?(?:definitions|description)\b/i.test(start)) {
    return `WSDL is not supported; ${supported}.`;
  }
  if (/^<[?!\w]/.test(start)) return `XML is not supported; ${supported}, as JSON or YAML.`;
  if (isGraphQl(start)) return `GraphQL is not supported; ${supported}.`;
  if (/^syntax\s*=\s*["']proto\d["']\s*;/.test(start)) return `Protocol Buffers are not supported; ${supported}.`;
  return undefined;
}

/** GraphQL's definition language starts with a keyword and a name without a colon, unlike YAML. */
function isGraphQl(start: string): boolean {
  const definition = start.replace(/^(?:"""[\s\S]*?"""|"[^"\n]*")\s*/, "");
  return (
    /^(?:extend\s+)?(?:type|input|interface|enum|union)\s+\w+[^:\n{=]*[{=]/.test(definition) ||
    /^(?:extend\s+)?(?:schema\b[^:\n{]*\{|scalar\s+\w+\s*(?:@|\n|$)|directive\s+@\w+)/.test(definition)
  );
}

const withoutComments = (text: string) => text.replace(/^(?:\s+|#[^\n]*(?:\n|$))+/, "");

/** Other JSON and YAML formats that people often try, each with its test. */
const foreignKinds: readonly (readonly [name: string, tells: (root: JsonObject) => boolean])[] = [
  ["AsyncAPI", (root) => Object.hasOwn(root, "asyncapi")],
  ["RAML", (root) => Object.hasOwn(root, "raml")],
  ["Arazzo", (root) => Object.hasOwn(root, "arazzo")],
  ["An OpenAPI overlay", (root) => Object.hasOwn(root, "overlay")],
  ["GraphQL", (root) => Object.hasOwn(root, "__schema") || Object.hasOwn(objectAt(root, "data"), "__schema")],
  ["A Postman collection", isPostmanCollection],
  ["An Insomnia export", (root) => root["_type"] === "export" && Array.isArray(root["resources"])],
  ["A HAR recording", (root) => Array.isArray(objectAt(root, "log")["entries"])],
  ["Google's discovery format", (root) => textAt(root, "kind").startsWith("discovery#")],
];

function isPostmanCollection(root: JsonObject): boolean {
  const info = objectAt(root, "info");
  return Object.hasOwn(info, "_postman_id") || textAt(info, "schema").includes("getpostman.com");
}

export type DocumentKind =
  | { readonly ok: true; readonly dialect: ApiDocument["dialect"]; readonly root: JsonObject }
  | { readonly ok: false; readonly problems: readonly { readonly pointer: string; readonly message: string }[] };

/** Detects the dialect of a document. Other kinds are rejected by name, and so is a document without a version. */
export function kindOf(value: JsonValue): DocumentKind {
  const refuse = (message: string, pointer = ""): DocumentKind => ({ ok: false, problems: [{ pointer, message }] });
  if (value === null) return refuse(`The document is empty; ${supported}.`);
  if (!isObject(value)) {
    const what = Array.isArray(value) ? "a list" : `a ${typeof value === "string" ? "text" : typeof value}`;
    return refuse(`The document is ${what}, but its top level must be an object; ${supported}.`);
  }
  const dialect = dialectOf(value);
  if (dialect !== undefined && !dialect.ok) return refuse(dialect.message, dialect.pointer);
  if (dialect === undefined) {
    const foreign = foreignKinds.find(([, tells]) => tells(value));
    if (foreign !== undefined) return refuse(`${foreign[0]} is not supported; ${supported}.`);
  }
  if (dialect !== undefined) return { ok: true, dialect: dialect.dialect, root: value };
  const message = 'The document has neither "openapi" nor "swagger", so its version is unknown; add one of them.';
  return { ok: false, problems: [{ pointer: "", message }, ...missingAtTop(value)] };
}

type Dialect =
  | { readonly ok: true; readonly dialect: ApiDocument["dialect"] }
  | { readonly ok: false; readonly pointer: string; readonly message: string };

function dialectOf(root: JsonObject): Dialect | undefined {
  const refused = (pointer: string, message: string): Dialect => ({ ok: false, pointer, message });
  if (Object.hasOwn(root, "openapi")) {
    const version = versionText(root["openapi"]);
    if (version === undefined) return refused("/openapi", '"openapi" must be a text such as "3.0.3".');
    if (/^3\.0(?:\.|-|$)/.test(version)) return { ok: true, dialect: "openapi-3.0" };
    return refused("/openapi", `OpenAPI ${shown(version)} is not supported; ${supported}.`);
  }
  const swagger = root["swagger"] ?? root["swaggerVersion"];
  if (swagger === undefined) return undefined;
  const pointer = root["swagger"] === undefined ? "/swaggerVersion" : "/swagger";
  const version = versionText(swagger);
  if (version === undefined) return refused(pointer, '"swagger" must be the text "2.0".');
  if (version === "2.0") return { ok: true, dialect: "swagger-2.0" };
  return refused(pointer, `Swagger ${shown(version)} is not supported; ${supported}.`);
}

/** YAML reads an unquoted 2.0 as the number 2. */
function versionText(version: JsonValue | undefined): string | undefined {
  if (typeof version === "number") return Number.isInteger(version) ? `${version}.0` : String(version);
  return typeof version === "string" ? version.trim() : undefined;
}

function missingAtTop(root: JsonObject): { pointer: string; message: string }[] {
  return ["info", "paths"].flatMap((name) => {
    const value = Object.hasOwn(root, name) ? root[name] : undefined;
    if (value === undefined) return [{ pointer: "", message: `The document has no "${name}"; add it.` }];
    return isObject(value) ? [] : [{ pointer: `/${name}`, message: `"${name}" must be an object.` }];
  });
}

const shown = (version: string) => (version.length > 40 ? `${version.slice(0, 40)}…` : version);

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function objectAt(root: JsonObject, name: string): JsonObject {
  const value = root[name];
  return Object.hasOwn(root, name) && isObject(value) ? value : {};
}

function textAt(root: JsonObject, name: string): string {
  const value = root[name];
  return Object.hasOwn(root, name) && typeof value === "string" ? value : "";
}
