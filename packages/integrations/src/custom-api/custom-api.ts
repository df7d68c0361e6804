import {
  customApiIntegration,
  customApiSecretSchemas,
  customApiSettingsSchema,
  type JsonObject,
} from "@procedo/contract";
import type { ConnectionFields, DocumentedConnection, DocumentedIntegration } from "@procedo/engine";
import * as z from "zod";
import type { ImportedOperation } from "../openapi/imported-api.ts";
import { createDocumentReader } from "./document-reader.ts";
import { keptSettings } from "./kept-settings.ts";
import { oauthClient } from "./oauth-client.ts";
import { operationActions } from "./operation-action.ts";
import { prepareConnection } from "./prepare-connection.ts";
import { testConnection } from "./test-connection.ts";

const fields: ConnectionFields = {
  settings: z.toJSONSchema(customApiSettingsSchema, { io: "input" }) as JsonObject,
  secrets: [],
  authentication: Object.entries(customApiSecretSchemas).map(([method, secrets]) => ({
    method,
    secrets: Object.entries(secrets.shape).map(([name, schema]: readonly [string, z.ZodType]) => ({
      name,
      isRequired: !schema.safeParse(undefined).success,
    })),
  })),
};

/**
 * The Custom API integration. A connection has an OpenAPI 3.0 or Swagger 2.0 document, and each of its operations is an
 * action.
 *
 * @example
 * ```ts
 * import { createEngine, masterKeyFile } from "@procedo/engine";
 * import { customApi } from "@procedo/integrations";
 * import { createMemoryStorage } from "@procedo/storage";
 *
 * const storage = createMemoryStorage({ now: Date.now });
 * const engine = createEngine({ storage, integrations: [customApi()], masterKey: await masterKeyFile("procedo.key") });
 * ```
 */
export function customApi(): DocumentedIntegration {
  const read = createDocumentReader();

  const operationsOf = async ({ settings, document }: DocumentedConnection): Promise<readonly ImportedOperation[]> => {
    const result = await read({ text: document, settings: keptSettings(settings) });
    return result.ok ? result.api.operations : [];
  };

  return {
    kind: "documented",
    name: customApiIntegration,
    title: "Custom API",
    fields,
    oauth: ({ settings, secrets }) => oauthClient(keptSettings(settings), secrets),
    prepare: (given) => prepareConnection(given, read),
    actions: async (connection) => operationActions(await operationsOf(connection), keptSettings(connection.settings)),
    test: async (connection, context) => {
      const { baseUrl, authentication, idempotencyHeader, headers } = keptSettings(connection.settings);
      if (baseUrl === undefined) return { ok: false, error: "The base URL is not confirmed. Set settings.baseUrl." };
      const { secrets, redactor } = context;
      const calling = { baseUrl, authentication, idempotencyHeader, headers, secrets, redactor };
      return testConnection(await operationsOf(connection), calling, context);
    },
  };
}
