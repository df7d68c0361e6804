import type { JsonObject } from "@procedo/contract";
import type { DocumentedConnection, GivenConnection, GuardedFetch, PreparedConnection } from "@procedo/engine";
import { customApi } from "../../src/custom-api/custom-api.ts";

/** A ledger's document; `server` is the only entry of its `servers`. */
export function ledgerDocument(server: string | undefined, paths: JsonObject = ledgerPaths): string {
  const servers = server === undefined ? {} : { servers: [{ url: server }] };
  return JSON.stringify({ openapi: "3.0.3", info: { title: "Ledger", version: "1.2" }, ...servers, paths });
}

const ok = { "200": { description: "fine" } };

export const ledgerPaths: JsonObject = {
  "/vendors": {
    get: {
      operationId: "list_vendors",
      parameters: [
        { name: "q", in: "query", schema: { type: "string" } },
        { name: "api_key", in: "query", required: true, schema: { type: "string" } },
        { name: "X-Key", in: "header", required: true, schema: { type: "string" } },
      ],
      responses: ok,
    },
  },
  "/payments": {
    post: {
      operationId: "pay.now",
      parameters: [{ name: "Idempotency-Key", in: "header", required: true, schema: { type: "string" } }],
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: {
              type: "object",
              required: ["amount"],
              properties: { amount: { type: "integer", minimum: 1 }, note: { type: "string" } },
            },
          },
        },
      },
      responses: ok,
    },
  },
  "/health/deep": { get: { operationId: "deep", responses: ok } },
  "/health": { get: { operationId: "health", responses: ok } },
};

export const noFetch: GuardedFetch = () => Promise.reject(new Error("Nothing is to be fetched."));

export const ledgerSettings = (server = "https://ledger.test/v1"): JsonObject => ({
  spec: { text: ledgerDocument(server) },
});

export function prepare(given: Partial<GivenConnection>, integration = customApi()): Promise<PreparedConnection> {
  return integration.prepare({ settings: {}, secrets: {}, before: undefined, fetch: noFetch, ...given });
}

export type Ready = Extract<PreparedConnection, { status: "ready" }>;

export async function ready(given: Partial<GivenConnection>, integration = customApi()): Promise<Ready> {
  const prepared = await prepare(given, integration);
  if (prepared.status === "ready") return prepared;
  throw new Error("The connection was not taken.", { cause: prepared });
}

/** Settings of an update, merged into the stored ones; `null` removes a setting. */
export function laidOver(before: DocumentedConnection, changes: JsonObject): Partial<GivenConnection> {
  const settings = Object.entries({ ...before.settings, ...changes }).filter(([, value]) => value !== null);
  return { before, settings: Object.fromEntries(settings) };
}
