import { createMemoryStorage } from "@procedo/storage";
import { expect, test } from "vitest";
import { createSecretBox } from "../secrets/secret-box.ts";
import { connectionRecord } from "./connection-record.ts";
import { listConnections } from "./list-connections.ts";
import { createShowConnections } from "./show-connections.ts";

const workspace = "default";

test("skips the other environment's connections in pages, with a pause after each", async () => {
  const storage = createMemoryStorage({ now: () => 0 });
  for (let number = 0; number < 100; number++) {
    const id = `con_${String(number).padStart(3, "0")}`;
    const body = { name: id, integration: "bank", settings: {}, secrets: {}, createdBy: "ana", createdAtMs: 0 };
    const environment = number === 99 ? "live" : "sandbox";
    await storage.records.put({ record: connectionRecord(workspace, environment, id, body), ifRevision: 0 });
  }
  let pauses = 0;
  const show = createShowConnections({
    workspace,
    integrations: new Map(),
    secretBox: createSecretBox({ keys: [{ id: "k1", key: new Uint8Array(32) }], random: () => new Uint8Array(12) }),
    grants: { show: async () => undefined },
    traffic: { of: async () => new Map() },
  });
  const ports = { storage, workspace, show, pause: async () => void (pauses += 1) };
  const { items, nextCursor } = await listConnections(ports, { environment: "live", limit: 9 });
  expect([items.map(({ connectionId }) => connectionId), nextCursor]).toEqual([["con_099"], undefined]);
  expect(pauses).toBe(10);
});
