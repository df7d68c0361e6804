import type { DeliverySettlement, NewStub, Scope } from "@procedo/storage";
import { webhookEventKey } from "@procedo/storage";
import { expect, it } from "vitest";
import { startMs, together, useThreeNodes } from "./three-nodes.ts";
import { commitAll } from "./run-rows.ts";

const scope: Scope = { workspace: "acme", environment: "live" };
const nodes = useThreeNodes();

const entry = (seq: number, by: string) => ({ seq, hash: `hash-${seq}-${by}`, body: `{"by":"${by}"}` });
const stub = (runId: string): NewStub => ({ runId, seq: 1, hash: "hash-1", output: undefined });

/** Ended runs, each with an event that a webhook has accepted. */
async function endedRuns(count: number): Promise<readonly { readonly runId: string; readonly deliveryId: string }[]> {
  const [storage] = nodes().storages;
  const keys = [webhookEventKey(scope, "run_completed")];
  const hook = { ...scope, kind: "webhook", id: "hook-1", body: "{}", uniqueKeys: [], keys };
  await storage.records.put({ record: hook, ifRevision: 0 });
  const create = { procedureId: "pay", procedureVersion: "v1", createdAtMs: startMs, startedBy: "ada" };
  const then = { kind: "ended", status: "completed", endedAtMs: startMs } as const;
  const runIds = Array.from({ length: count }, (_, number) => `run-${number}`);
  await commitAll(
    storage.runs,
    runIds.map((runId) => {
      const event = { eventId: `event-of-${runId}`, event: "run_completed", createdAtMs: startMs, data: "{}" };
      return { scope, runId, epoch: 1, seq: 1, hash: "hash-1", body: "{}", create, events: [event], then };
    }),
  );
  const limits = { total: count, perWebhook: count };
  const request = { workspace: scope.workspace, limits: { sandbox: limits, live: limits }, leaseMs: 1_000 };
  const { deliveries } = await storage.deliveries.claim(request);
  const answer = { url: "https://receiver.test", atMs: startMs, tookMs: 1, responseCode: 200, failure: undefined };
  await storage.deliveries.settle(
    deliveries.map(({ deliveryId, epoch }): DeliverySettlement => {
      return { scope, deliveryId, epoch, attempt: { ...answer, manual: false }, next: { status: "delivered" } };
    }),
  );
  const { items } = await storage.deliveries.list({ scope, webhookId: "hook-1", limit: 1000 });
  return items.map(({ runId = "", deliveryId }) => ({ runId, deliveryId }));
}

it("runs that three nodes archive at the same time are archived once", async () => {
  const { storages, node } = nodes();
  const runs = (await endedRuns(20)).map(({ runId }) => stub(runId));
  const results = await together(9, (number) =>
    node(number).retention.archive({
      scope,
      // In any order.
      runs: number % 2 === 0 ? runs : runs.toReversed(),
      audit: entry(1 + (number % 3), `node-${number}`),
    }),
  );
  expect(results.filter(({ status }) => status === "archived")).toHaveLength(1);
  expect((await storages[1].retention.stubs({ scope, limit: 100 })).items).toHaveLength(20);
  expect(await storages[2].audit.list({ ...scope, afterSeq: 0, limit: 9 })).toHaveLength(1);
});

it("a delivery that is sent again while its run is archived is either gone or keeps its run", async () => {
  const { storages } = nodes();
  const [archiving, resending] = storages;
  for (const { runId, deliveryId } of await endedRuns(20)) {
    const seq = ((await archiving.audit.head(scope))?.seq ?? 0) + 1;
    const [archived, resent] = await Promise.all([
      archiving.retention.archive({ scope, runs: [stub(runId)], audit: entry(seq, "archive") }),
      resending.deliveries.resend({ scope, webhookId: "hook-1", deliveryId, repeatMs: 0 }),
    ]);
    const journal = await resending.runs.journal({ scope, runId });
    if (resent.status === "not_found") {
      expect([archived.status, journal]).toEqual(["archived", []]);
    } else {
      expect([archived, resent.status]).toEqual([{ status: "changed", runIds: [runId] }, "resent"]);
      expect(journal).toHaveLength(1);
    }
  }
});
