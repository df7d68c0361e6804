import { text } from "node:stream/consumers";
import { InvalidArgumentError, Option, type Command } from "commander";
import {
  actionEffectSchema,
  apiAuthenticationSchema,
  ProcedoError,
  type JsonObject,
  type JsonValue,
} from "@procedo/contract";
import { decodeDocument } from "@procedo/integrations/openapi";
import { parseExact } from "@procedo/procedure";
import type { Variables } from "../settings/values.ts";
import { milliseconds } from "./options.ts";
import { readBytes, readText } from "./read-input.ts";

/** Settings and secrets of a connection, as read from the command line. */
export interface ConnectionFlags {
  readonly spec?: string;
  readonly baseUrl?: string;
  readonly authentication?: JsonObject;
  readonly idempotencyHeader?: string;
  /** In milliseconds. */
  readonly idempotencyKeyTtl?: number;
  readonly header?: Readonly<Record<string, string>>;
  readonly effect?: Readonly<Record<string, string>>;
  readonly setting?: Readonly<Record<string, string>>;
  readonly secret?: Readonly<Record<string, string>>;
}

const oauthExample = '{"method":"client_credentials","tokenUrl":"…","clientId":"…"}';
const methods = apiAuthenticationSchema.options.map(({ shape }) => shape.method.value);

/** Adds the options that describe how to reach a service. */
export function addConnectionFlags(command: Command): Command {
  return command
    .option("--spec <file|url>", "the OpenAPI document: a file, - for standard input, or an address, fetched once")
    .option("--base-url <url>", "base of its paths; defaults to the document's first server")
    .addOption(
      new Option(
        "--authentication <method>",
        `one of ${methods.join(", ")}; an API key needs a name: api_key_header=X-Api-Key; OAuth has settings, as JSON: ${oauthExample}`,
      ).argParser(authentication),
    )
    .addOption(
      new Option(
        "--secret <name=source>",
        "a credential; source is @FILE, env:NAME, or - for standard input",
      ).argParser(sources),
    )
    .addOption(
      new Option(
        "--setting <name=value>",
        "a setting of another integration than Custom API; integrations show lists them",
      ).argParser(headers),
    )
    .option("--idempotency-header <name>", "the header in which the service reads an idempotency key")
    .addOption(
      new Option(
        "--idempotency-key-ttl <duration>",
        "how long the service keeps an idempotency key, such as PT5M; defaults to a day",
      ).argParser(milliseconds),
    )
    .addOption(
      new Option(
        "--header <name=value>",
        "a header of every request, not a credential; an update replaces all headers",
      ).argParser(headers),
    )
    .addOption(
      new Option(
        "--effect <action=effect>",
        `what a call may do: ${actionEffectSchema.options.join(", ")}; an update replaces all effects`,
      ).argParser(effects),
    );
}

/** The given settings, with the text of the document unless the document is named by an address. */
export async function settingsOf(
  { spec, baseUrl, authentication, idempotencyHeader, idempotencyKeyTtl, header, effect, setting }: ConnectionFlags,
  stdin: AsyncIterable<Uint8Array>,
): Promise<JsonObject> {
  return {
    ...(spec === undefined ? {} : { spec: await specOf(spec, stdin) }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(authentication === undefined ? {} : { authentication }),
    ...(idempotencyHeader === undefined ? {} : { idempotencyHeader }),
    ...(idempotencyKeyTtl === undefined ? {} : { idempotencyKeyTtlMs: idempotencyKeyTtl }),
    ...(header === undefined ? {} : { headers: { ...header } }),
    ...(effect === undefined ? {} : { effects: { ...effect } }),
    ...Object.fromEntries(Object.entries(setting ?? {}).map(([name, text]) => [name, valueOf(text)])),
  };
}

/** A number, `true`, a list and so on as JSON; other text as it is. */
function valueOf(text: string): JsonValue {
  const parsed = parseExact(text);
  return parsed.ok ? parsed.value : text;
}

async function specOf(from: string, stdin: AsyncIterable<Uint8Array>): Promise<JsonObject> {
  if (/^https?:\/\//i.test(from)) return { url: from };
  const decoded = decodeDocument(await readBytes(from, stdin));
  if (decoded.ok) return { text: decoded.text };
  throw new ProcedoError("invalid_document", decoded.problem.message);
}

/**
 * Reads the given secrets from files, variables or standard input. A command line never holds a secret: shells record
 * it and other users can read it.
 *
 * @throws ProcedoError `invalid_input`
 */
export async function secretsOf(
  { secret = {} }: ConnectionFlags,
  variables: Variables,
  stdin: AsyncIterable<Uint8Array>,
): Promise<Readonly<Record<string, string>>> {
  const secrets = new Map<string, string>();
  for (const [name, source] of Object.entries(secret)) {
    secrets.set(name, await secretFrom(name, source, variables, stdin));
  }
  return Object.fromEntries(secrets);
}

async function secretFrom(
  name: string,
  source: string,
  variables: Variables,
  stdin: AsyncIterable<Uint8Array>,
): Promise<string> {
  if (source === "-") return withoutLineEnd(await text(stdin));
  if (source.startsWith("@")) return withoutLineEnd(await readText(source.slice(1), stdin));
  if (!source.startsWith("env:")) {
    // The value is not repeated, because it may be the secret itself.
    const message = "Give --secret NAME=@FILE, NAME=env:VARIABLE or NAME=-: other users can read the command line.";
    throw new ProcedoError("invalid_input", message);
  }
  const variable = source.slice("env:".length);
  const value = variables[variable];
  if (value !== undefined && value !== "") return value;
  throw new ProcedoError("invalid_input", `The variable ${variable}, for --secret ${name}, is not set.`);
}

/** Editors end a file with a line break, which is not part of the secret. */
function withoutLineEnd(given: string): string {
  return given.replace(/\r?\n$/, "");
}

/** `ACTION=EFFECT`; repeatable. The name of an action may contain any character. */
function effects(given: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const at = given.lastIndexOf("=");
  if (at < 1) throw new InvalidArgumentError("Give ACTION=EFFECT.");
  return Object.fromEntries([...Object.entries(before), [given.slice(0, at), given.slice(at + 1)]]);
}

/** `NAME=VALUE`; repeatable. */
function headers(given: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const at = given.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("Give NAME=VALUE.");
  return Object.fromEntries([...Object.entries(before), [given.slice(0, at), given.slice(at + 1)]]);
}

/** `NAME=SOURCE`; repeatable. Faults are reported later, because the parser would repeat the value in its message. */
function sources(given: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const at = given.indexOf("=");
  const source = at < 1 ? (["NAME", ""] as const) : ([given.slice(0, at), given.slice(at + 1)] as const);
  return Object.fromEntries([...Object.entries(before), source]);
}

const named: Readonly<Record<string, string>> = { api_key_header: "header", api_key_query: "parameter" };

function authentication(given: string): JsonObject {
  const settings = authenticationSettings(given);
  if (settings !== undefined && apiAuthenticationSchema.safeParse(settings).success) return settings;
  throw new InvalidArgumentError(
    `Give one of ${methods.join(", ")}; api_key_header and api_key_query with the name: api_key_header=X-Api-Key; ` +
      `oauth2 and client_credentials with their settings, as JSON: ${oauthExample}.`,
  );
}

/** `METHOD`, `METHOD=NAME`, or all settings as JSON. */
function authenticationSettings(given: string): JsonObject | undefined {
  if (given.startsWith("{")) {
    const parsed = parseExact(given);
    return parsed.ok ? (parsed.value as JsonObject) : undefined;
  }
  const at = given.indexOf("=");
  if (at === -1) return { method: given };
  const method = given.slice(0, at);
  const field = named[method];
  return field === undefined ? undefined : { method, [field]: given.slice(at + 1) };
}
