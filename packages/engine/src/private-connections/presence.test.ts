import { createMemoryStorage } from "@procedo/storage";
import { expect, test } from "vitest";
import { createPresence } from "./presence.ts";

test("names that clients of one environment give themselves leave those of the other their names", async () => {
  const storage = createMemoryStorage({ now: () => 0 });
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const presence = createPresence({ storage, workspace: "w", clock: { monotonic: () => 0 }, log });
  const poll = async (environment: "sandbox" | "live", connectionId: string, clientId: string) => {
    const client = { environment, connectionId, tokenDigest: "digest" };
    await presence.seen(client, { manifest: "m", clientId });
    const seen = await storage.invocations.listClients({ scope: { workspace: "w", environment }, connectionId });
    return seen.map((one) => one.clientId);
  };
  for (let number = 0; number < 2_000; number++) {
    await presence.seen(
      { environment: "sandbox", connectionId: "con_1", tokenDigest: "" },
      { manifest: "m", clientId: `c${number}` },
    );
  }
  expect(await poll("sandbox", "con_2", "one more")).toEqual([""]);
  expect(await poll("live", "con_2", "pod-1")).toEqual(["pod-1"]);
});
