import { expect, it } from "vitest";
import { deliveryQueueOf, leaseMs, scope, settled } from "./delivery-queue.ts";
import { startMs, together, useThreeNodes } from "./three-nodes.ts";

const nodes = useThreeNodes();
const { fill, claim } = deliveryQueueOf(nodes);

it("senders on three nodes send each delivery once and keep to the limit of each webhook", async () => {
  const webhookIds = ["hook-1", "hook-2", "hook-3", "hook-4"];
  await fill(webhookIds, 60);
  const underWay = new Map<string, number>();
  const sent: string[] = [];
  let most = 0;

  async function send(number: number): Promise<void> {
    while (sent.length < 240) {
      const claimed = await claim(number, 7, 5);
      for (const { webhookId, deliveryId } of claimed) {
        sent.push(deliveryId);
        const count = (underWay.get(webhookId) ?? 0) + 1;
        underWay.set(webhookId, count);
        most = Math.max(most, count);
      }
      for (const { webhookId } of claimed) underWay.set(webhookId, (underWay.get(webhookId) ?? 0) - 1);
      const results = await nodes()
        .node(number)
        .deliveries.settle(claimed.map((delivery) => settled(delivery, "delivered")));
      expect(results.map(({ status }) => status)).toEqual(claimed.map(() => "settled"));
    }
  }

  await together(9, send);
  expect(sent).toHaveLength(240);
  expect(new Set(sent).size).toBe(240);
  expect(most).toBeLessThanOrEqual(5);
});

it("concurrent senders together get as many deliveries as the limits of the webhooks allow, and no more", async () => {
  await fill(["hook-1", "hook-2"], 30);
  const claims = (await together(12, (number) => claim(number, 2, 4))).flat();
  expect(claims.map(({ webhookId }) => webhookId).sort()).toEqual([
    ...Array.from({ length: 4 }, () => "hook-1"),
    ...Array.from({ length: 4 }, () => "hook-2"),
  ]);
  expect(new Set(claims.map(({ deliveryId }) => deliveryId)).size).toBe(8);
});

it.each(["delivered", "failed"] as const)(
  "a response (%s) that arrives at the end of the lease either settles the delivery or finds it with another sender",
  async (status) => {
    await fill(["hook-1"], 40);
    const late = await claim(0, 40, 40);
    expect(late).toHaveLength(40);
    nodes().advance(leaseMs);
    const { node } = nodes();
    const [again, results] = await Promise.all([
      together(20, (number) => claim(number, 2, 40)),
      together(40, (number) => {
        const delivery = late[number];
        return node(number + 1).deliveries.settle(delivery === undefined ? [] : [settled(delivery, status)]);
      }),
    ]);
    const taken = new Set(again.flat().map(({ deliveryId }) => deliveryId));
    for (const [number, [result]] of results.entries()) {
      expect(result?.status).toBe(taken.has(late[number]?.deliveryId ?? "") ? "fenced" : "settled");
    }
    const { items } = await node(0).deliveries.list({ scope, webhookId: "hook-1", limit: 100 });
    for (const row of items) {
      expect(row.status).toBe(taken.has(row.deliveryId) ? "pending" : status);
      expect(await node(1).deliveries.attempts({ scope, ...row })).toHaveLength(1);
    }
  },
);

it("batches of accepted and of failed deliveries, of the same failing webhooks, are settled concurrently", async () => {
  const webhookIds = ["hook-1", "hook-2", "hook-3"];
  await fill(webhookIds, 80);
  const { node } = nodes();
  const claimed = await claim(0, 240, 80);
  expect(claimed).toHaveLength(240);
  // From here on all deliveries fail, so that each batch updates webhooks.
  const first = claimed.splice(0, 24);
  await node(0).deliveries.settle(first.map((delivery) => settled(delivery, "failed")));
  const batches = Array.from({ length: 18 }, (_, batch) => claimed.slice(batch * 12, batch * 12 + 12));
  const results = await together(18, (number) => {
    const ordered = number % 2 === 0 ? batches[number] : batches[number]?.toReversed();
    const items = ordered?.map((delivery, place) =>
      settled(delivery, number % 3 !== 0 && place % 2 === 0 ? "failed" : "delivered"),
    );
    return node(number).deliveries.settle(items ?? []);
  });
  expect(results.flat().map(({ status }) => status)).toEqual(claimed.map(() => "settled"));
  const ended = await Promise.all(
    webhookIds.map((webhookId) => node(1).deliveries.list({ scope, webhookId, limit: 100 })),
  );
  const statuses = ended.flatMap(({ items }) => items.map(({ status }) => status));
  expect(statuses.filter((status) => status === "failed")).toHaveLength(24 + 12 * 6);
  expect(statuses.filter((status) => status === "delivered")).toHaveLength(6 * 12 + 12 * 6);
});

it("one of fifty resends on three nodes causes an attempt", async () => {
  await fill(["hook-1"], 1);
  const [first] = await claim(0, 1, 1);
  if (first === undefined) throw new Error("One is due.");
  const { node } = nodes();
  await node(0).deliveries.settle([settled(first, "delivered")]);
  const { deliveryId, webhookId } = first;
  const answers = await together(50, (number) =>
    node(number).deliveries.resend({ scope, webhookId, deliveryId, repeatMs: 5_000 }),
  );
  expect(answers.filter(({ status }) => status === "resent")).toHaveLength(1);
  expect(answers.filter(({ status }) => status === "repeated")).toHaveLength(49);
  const claims = (await together(9, (number) => claim(number, 9, 9))).flat();
  expect(claims).toMatchObject([{ deliveryId, epoch: 2, manual: true }]);
});

it("failures of one webhook that three nodes settle at the same time have one start", async () => {
  await fill(["hook-1", "hook-2"], 20);
  const claimed = await claim(0, 40, 20);
  const { node } = nodes();
  const results = await together(20, (number) => {
    const items = claimed.slice(2 * number, 2 * number + 2).map((delivery, index) => {
      const item = settled(delivery, "failed");
      const { attempt } = item;
      return attempt === undefined ? item : { ...item, attempt: { ...attempt, atMs: startMs + 2 * number + index } };
    });
    // In both orders, without a deadlock.
    return node(number).deliveries.settle(number % 2 === 0 ? items : items.toReversed());
  });
  const since = results.flat().flatMap((result) => (result.status === "settled" ? [result.failingSinceMs] : []));
  expect(since).toHaveLength(40);
  expect(new Set(since).size).toBe(2);
  expect(since).not.toContain(undefined);
});
