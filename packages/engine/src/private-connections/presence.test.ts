import { createMemoryStorage } from "@procedo/storage";
import { expect, test } from "vitest";
import { createPresence } from "./presence.ts";

test("clients of one environment take no room from those of the other", async () => {
  const storage = createMemoryStorage({ now: () => 0 });
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const presence = createPresence({ storage, workspace: "w", clock: { monotonic: () => 0 }, log });
  const poll = async (environment: "sandbox" | "live", connectionId: string, clientId: string) => {
    const client = { environment, connectionId, tokenDigest: "digest" };
    await presence.record(client, { manifest: "m", clientId });
    const seen = await storage.invocations.listClients({ scope: { workspace: "w", environment }, connectionId });
    return seen.map((one) => one.clientId);
  };
  for (let number = 0; number < 2_000; number++) {
    await presence.record(
      { environment: "sandbox", connectionId: "con_1", tokenDigest: "" },
      { manifest: "m", clientId: `c${number}` },
    );
  }
  expect(await poll("sandbox", "con_2", "one more")).toEqual([""]);
  expect(await poll("live", "con_2", "pod-1")).toEqual(["pod-1"]);
});
