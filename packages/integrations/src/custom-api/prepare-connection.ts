import { createHash } from "node:crypto";
import type { DocumentProblem, ErrorDetail, JsonObject } from "@procedo/contract";
import { jsonPointer } from "@procedo/contract/syntax";
import type { ActionEffect, GivenConnection, PreparedConnection } from "@procedo/engine";
import type { ImportedApi, ImportProblem } from "../openapi/imported-api.ts";
import type { DocumentReader } from "./document-reader.ts";
import { fetchDocument } from "./fetch-document.ts";
import { baseUrlProblem, givenSettings, type DocumentSource } from "./given-settings.ts";
import { keptSettings, type KeptSettings, type KeptSpec } from "./kept-settings.ts";
import { operationActions } from "./operation-action.ts";

/** {@link DocumentedIntegration.prepare} of the Custom API. */
export async function prepareConnection(given: GivenConnection, read: DocumentReader): Promise<PreparedConnection> {
  const { before } = given;
  const asked = givenSettings(given.settings, given.secrets, before?.settings);
  if (!asked.ok) return { status: "invalid", details: asked.details };

  const document = await documentOf(asked.source, given);
  if (document.status !== "ok") return document;
  const kept = before === undefined ? undefined : keptSettings(before.settings);
  const imported = await read({
    text: document.text,
    settings: asked.settings,
    ...(before !== undefined && kept !== undefined && { before: { text: before.document, settings: kept } }),
  });
  if (!imported.ok) return { status: "refused", problems: imported.problems.map(documentProblem) };
  const { api, changes } = imported;

  const digest = createHash("sha256").update(document.text).digest("hex");
  const spec = specOf(asked.source, document.text, digest, api, kept);
  const { baseUrl: named, effects, ...others } = asked.settings;
  const address = addressOf({ named, spec, kept, isPreview: given.secrets === undefined });
  const details = [...address.details, ...unknownActions(effects, kept?.effects, api)];
  if (details.length > 0) return { status: "invalid", details };
  const settings: KeptSettings = {
    spec,
    ...(address.baseUrl === undefined ? {} : { baseUrl: address.baseUrl }),
    authentication: others.authentication,
    ...(others.idempotencyHeader === undefined ? {} : { idempotencyHeader: others.idempotencyHeader }),
    ...(others.idempotencyKeyTtlMs === undefined ? {} : { idempotencyKeyTtlMs: others.idempotencyKeyTtlMs }),
    ...(others.headers === undefined || Object.keys(others.headers).length === 0 ? {} : { headers: others.headers }),
    ...(others.formats === undefined ? {} : { formats: others.formats }),
    ...(effects === undefined ? {} : { effects: knownOf(effects, api) }),
  };
  return {
    status: "ready",
    connection: { settings: settings as unknown as JsonObject, document: document.text },
    actions: await operationActions(api.operations, settings),
    changes,
    problems: api.problems.map(documentProblem),
    baseUrl: address.baseUrl,
    unconfirmedBaseUrl: address.unconfirmed,
  };
}

type Document =
  { readonly status: "ok"; readonly text: string } | Extract<PreparedConnection, { status: "invalid" | "refused" }>;

async function documentOf(source: DocumentSource, { before, fetch }: GivenConnection): Promise<Document> {
  if (source.kind === "text") return { status: "ok", text: source.text };
  if (source.kind === "kept") return { status: "ok", text: before?.document ?? "" };
  const fetched = await fetchDocument(source.url, fetch);
  switch (fetched.status) {
    case "ok":
      return fetched;
    case "missing":
      return { status: "invalid", details: [{ path: "/settings/spec/url", message: fetched.message }] };
    case "refused":
      return { status: "refused", problems: [documentProblem(fetched.problem)] };
  }
}

const maxTitleLength = 200;

function specOf(
  source: DocumentSource,
  text: string,
  digest: string,
  { title, version, baseUrl }: ImportedApi,
  kept: KeptSettings | undefined,
): KeptSpec {
  if (source.kind === "kept" && kept !== undefined) return kept.spec;
  return {
    ...(source.kind === "url" ? { url: source.url } : {}),
    title: title.slice(0, maxTitleLength),
    version: version.slice(0, maxTitleLength),
    bytes: Buffer.byteLength(text),
    digest,
    ...(baseUrl === undefined ? {} : { baseUrl }),
  };
}

interface Address {
  readonly baseUrl: string | undefined;
  readonly unconfirmed: string | undefined;
  readonly details: readonly ErrorDetail[];
}

/**
 * The future destination of calls. A base URL that a person set is kept. A base URL from a document is kept until a
 * document names another server; a person must then confirm it, because credentials would be sent there.
 */
function addressOf(asked: {
  readonly named: string | undefined;
  readonly spec: KeptSpec;
  readonly kept: KeptSettings | undefined;
  readonly isPreview: boolean;
}): Address {
  const { named, spec, kept } = asked;
  const server = spec.baseUrl;
  const settled = (baseUrl: string | undefined): Address => ({ baseUrl, unconfirmed: undefined, details: [] });
  const withheld = (unconfirmed: string): Address => ({ baseUrl: undefined, unconfirmed, details: [] });
  if (named !== undefined) {
    const cameFromDocument = kept !== undefined && kept.baseUrl === named && kept.spec.baseUrl === named;
    const moved = cameFromDocument && server !== undefined && server !== named;
    return moved ? withheld(server) : settled(named);
  }
  if (server === undefined) {
    if (asked.isPreview) return settled(undefined);
    return refused("is required, because the document names no server that can be used");
  }
  const problem = baseUrlProblem(server);
  if (problem !== undefined) return asked.isPreview ? settled(undefined) : refused(`of the document ${problem}`);
  const stillUnconfirmed = kept !== undefined && kept.baseUrl === undefined;
  return stillUnconfirmed ? withheld(server) : settled(server);
}

function refused(message: string): Address {
  return { baseUrl: undefined, unconfirmed: undefined, details: [{ path: "/settings/baseUrl", message }] };
}

const maxDetails = 100;

type Effects = { readonly [action: string]: ActionEffect };

/** Action names that were valid with the previous document may remain. */
function unknownActions(effects: Effects | undefined, kept: Effects | undefined, api: ImportedApi): ErrorDetail[] {
  const known = new Set(api.operations.map(({ name }) => name));
  return Object.keys(effects ?? {})
    .filter((name) => !known.has(name) && !Object.hasOwn(kept ?? {}, name))
    .slice(0, maxDetails)
    .map((name) => ({
      path: jsonPointer(["settings", "effects", name]),
      message: "names no action of the document",
    }));
}

function knownOf(effects: Effects, api: ImportedApi): Effects {
  const known = new Set(api.operations.map(({ name }) => name));
  return Object.fromEntries(Object.entries(effects).filter(([name]) => known.has(name)));
}

function documentProblem({ severity, pointer, message, line, column }: ImportProblem): DocumentProblem {
  return {
    severity,
    path: pointer,
    code: severity === "error" ? "invalid_document" : "document_warning",
    message,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  };
}
