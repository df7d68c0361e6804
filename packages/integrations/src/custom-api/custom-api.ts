import { customApiIntegration } from "@procedo/contract";
import type { DocumentedConnection, DocumentedIntegration } from "@procedo/engine";
import { compareOperations } from "../openapi/compare-operations.ts";
import { importDocument } from "../openapi/import-document.ts";
import type { ImportedOperation, ImportResult } from "../openapi/imported-api.ts";
import { connectionOperations } from "./connection-operations.ts";
import { keptSettings } from "./kept-settings.ts";
import { operationAction } from "./operation-action.ts";
import { prepareConnection } from "./prepare-connection.ts";
import { testConnection } from "./test-connection.ts";

/** Documents that are kept as they were read: the one that is saved just now, and the one that it is compared with. */
const maxRemembered = 2;

/**
 * The Custom API integration: a connection brings an OpenAPI 3.0 or Swagger 2.0 document, and each of its operations is
 * an action.
 *
 * @example
 * const engine = createEngine({ storage, integrations: [customApi()] });
 */
export function customApi(): DocumentedIntegration {
  const remembered = new Map<string, ImportResult>();

  const read = (text: string, digest: string): ImportResult => {
    const result = remembered.get(digest) ?? importDocument(text);
    remembered.delete(digest);
    remembered.set(digest, result);
    const [oldest] = remembered.keys();
    if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest);
    return result;
  };

  const operationsOf = ({ settings, document }: DocumentedConnection): readonly ImportedOperation[] => {
    const kept = keptSettings(settings);
    const result = read(document, kept.spec.digest);
    return result.ok ? connectionOperations(result.api, kept) : [];
  };

  return {
    kind: "documented",
    name: customApiIntegration,
    title: "Custom API",
    prepare: (given) => prepareConnection(given, read),
    actions: (connection) => {
      const kept = keptSettings(connection.settings);
      return new Map(operationsOf(connection).map((one) => [one.name, operationAction(one, kept)]));
    },
    compare: (before, after) => compareOperations(operationsOf(before), operationsOf(after)),
    test: async (connection, context) => {
      const { baseUrl, authentication, idempotencyHeader } = keptSettings(connection.settings);
      if (baseUrl === undefined) return { ok: false, error: "The base URL is not confirmed. Set settings.baseUrl." };
      const calling = { baseUrl, authentication, idempotencyHeader, secrets: context.secrets };
      return testConnection(operationsOf(connection), calling, context);
    },
  };
}
