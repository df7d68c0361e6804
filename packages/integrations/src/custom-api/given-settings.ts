import { isDeepStrictEqual } from "node:util";
import {
  customApiSecretSchemas,
  customApiSettingsSchema,
  requestProblems,
  type ErrorDetail,
  type JsonObject,
  type ParsedCustomApiSettings,
} from "@procedo/contract";
import { isFramingHeader, isHeaderValue, jsonPointer } from "@procedo/contract/syntax";
import type { Secrets } from "@procedo/engine";
import type * as z from "zod";
import { fixedHeaderProblems, isCredential, showsCredential } from "./fixed-headers.ts";

/** The source of the document. */
export type DocumentSource =
  | { readonly kind: "kept" }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "url"; readonly url: string };

export type GivenSettings =
  | { readonly ok: true; readonly settings: Omit<ParsedCustomApiSettings, "spec">; readonly source: DocumentSource }
  | { readonly ok: false; readonly details: readonly ErrorDetail[] };

/**
 * Reads settings from a caller, or the stored settings with some replaced. All faults are reported together.
 *
 * @param kept the stored settings, for an update
 */
export function givenSettings(settings: JsonObject, secrets: Secrets | undefined, kept?: JsonObject): GivenSettings {
  const isKept = kept !== undefined && isDeepStrictEqual(settings["spec"], kept["spec"]);
  const parsed = customApiSettingsSchema.safeParse(isKept ? { ...settings, spec: { text: "kept" } } : settings);
  if (!parsed.success) return { ok: false, details: violations(parsed.error, "/settings") };
  const { spec, ...others } = parsed.data;
  const details = [
    ...addressProblems(others),
    ...headerProblems(others),
    ...fixedHeaderProblems(others, secrets ?? {}),
    ...parameterProblems(others, secrets ?? {}),
  ];
  if (secrets !== undefined) details.push(...secretProblems(others, secrets, kept !== undefined));
  if (details.length > 0) return { ok: false, details };
  if (isKept) return { ok: true, settings: others, source: { kind: "kept" } };
  const source: DocumentSource = "url" in spec ? { kind: "url", url: spec.url } : { kind: "text", text: spec.text };
  return { ok: true, settings: others, source };
}

type Others = Omit<ParsedCustomApiSettings, "spec">;

/** Whether paths can be resolved below an address. */
export function baseUrlProblem(baseUrl: string): string | undefined {
  const url = new URL(baseUrl);
  if (url.username !== "" || url.password !== "") return "must not carry credentials; use authentication";
  if (baseUrl.includes("?") || baseUrl.includes("#")) return "must have neither a query nor a fragment";
  return undefined;
}

function addressProblems({ baseUrl }: Others): ErrorDetail[] {
  const problem = baseUrl === undefined ? undefined : baseUrlProblem(baseUrl);
  return problem === undefined ? [] : [{ path: "/settings/baseUrl", message: problem }];
}

function headerProblems({ authentication, idempotencyHeader }: Others): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  const name = authentication.method === "api_key_header" ? authentication.header : undefined;
  if (name !== undefined && isTaken(name)) {
    details.push({ path: "/settings/authentication/header", message: takenMessage });
  }
  if (idempotencyHeader === undefined) return details;
  const credentials = name ?? "authorization";
  if (isTaken(idempotencyHeader)) details.push({ path: "/settings/idempotencyHeader", message: takenMessage });
  if (idempotencyHeader.toLowerCase() === credentials.toLowerCase()) {
    details.push({ path: "/settings/idempotencyHeader", message: "must be another header than the authentication's" });
  }
  return details;
}

/** Parameters of the authorization server are shown with the connection, as its headers are. */
function parameterProblems({ authentication }: Others, secrets: Secrets): ErrorDetail[] {
  const parameters = "parameters" in authentication ? (authentication.parameters ?? {}) : {};
  return Object.entries(parameters)
    .filter(([, value]) => showsCredential(value, secrets))
    .map(([name]) => ({
      path: jsonPointer(["settings", "authentication", "parameters", name]),
      message: isCredential,
    }));
}

const takenMessage = "is a header that every request already has; name another one";

function isTaken(header: string): boolean {
  return isFramingHeader(header) || ["accept", "accept-encoding", "content-type"].includes(header.toLowerCase());
}

/** An update may leave secrets of the previous method. */
function secretProblems({ authentication: { method } }: Others, secrets: Secrets, isUpdate: boolean): ErrorDetail[] {
  const schema: z.ZodObject = customApiSecretSchemas[method];
  const parsed = (isUpdate ? schema.strip() : schema).safeParse(secrets);
  if (!parsed.success) return violations(parsed.error, "/secrets");
  if (method !== "api_key_header" && method !== "bearer_token") return [];
  const name = method === "bearer_token" ? "token" : "apiKey";
  const value = secrets[name] ?? "";
  if (isHeaderValue(value) && value === value.trim()) return [];
  const message = "must be text that a header can carry: Latin-1, without white space at its ends";
  return [{ path: `/secrets/${name}`, message }];
}

function violations(error: z.ZodError, pointer: string): ErrorDetail[] {
  return requestProblems(error).map(({ path, message }) => ({ path: pointer + path, message }));
}
