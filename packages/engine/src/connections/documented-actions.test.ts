import { expect, test } from "vitest";
import type { DocumentedIntegration } from "../integrations/integration.ts";
import { createDocumentedActions } from "./documented-actions.ts";
import { createMutexes } from "./mutex.ts";

test("cached documents of one environment do not evict those of the other", async () => {
  const large = "x".repeat(10 * 1024 * 1024);
  const reads: string[] = [];
  const mutexes = createMutexes({ soon: (callback) => queueMicrotask(callback) });
  const documented = createDocumentedActions({ documents: { read: async () => large }, mutexes });
  const of = async (environment: "sandbox" | "live", connectionId: string): Promise<void> => {
    const actions = async () => {
      reads.push(connectionId);
      return new Map();
    };
    const integration = { kind: "documented", actions } as unknown as DocumentedIntegration;
    await documented.of(integration, { environment, connectionId }, { document: "digest", settings: {} });
  };
  await of("live", "con_live");
  for (const connectionId of ["con_1", "con_2", "con_1", "con_2"]) await of("sandbox", connectionId);
  await of("live", "con_live");
  expect(reads).toEqual(["con_live", "con_1", "con_2", "con_1", "con_2"]);
});
