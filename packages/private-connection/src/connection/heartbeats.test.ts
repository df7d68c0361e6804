import { expect, test } from "vitest";
import { systemRuntime } from "../runtime.ts";
import type { ConnectionCore } from "./connection-core.ts";
import { acknowledge } from "./heartbeats.ts";
import { createHeldInvocations } from "./held-invocations.ts";

test("reports the acknowledgement of each call without waiting for other calls", async () => {
  const held = createHeldInvocations(2);
  const take = (invocationId: string, leaseToken: string) =>
    held.take({ invocationId, leaseToken }, false, systemRuntime.monotonic());
  const batch = [take("inv_1", "a"), take("inv_2", "b")].filter((one) => one !== undefined);
  const beats: number[] = [];
  const service: Pick<ConnectionCore["service"], "heartbeat"> = {
    heartbeat: (leases) => {
      beats.push(leases.length);
      if (beats.length > 1) return new Promise(() => {});
      // The second call is dispatched again in the meantime.
      take("inv_2", "c");
      return Promise.resolve({ kind: "answered", value: new Set() });
    },
  };
  const core = { held, service, runtime: systemRuntime, ended: new AbortController().signal } as ConnectionCore;
  const reported: string[] = [];
  void acknowledge(core, batch, ({ id }, acknowledgement) => reported.push(`${id} ${acknowledgement}`));
  await expect.poll(() => beats).toEqual([2, 1]);
  expect(reported).toEqual(["inv_1 acknowledged"]);
});
