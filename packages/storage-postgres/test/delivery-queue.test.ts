import type { ClaimedDelivery, DeliveryAttempt, DeliveryRow } from "@procedo/storage";
import { expect, it } from "vitest";
import { claimOf, deliveryQueueOf, leaseMs, scope, settled } from "./delivery-queue.ts";
import { startMs, together, useThreeNodes } from "./three-nodes.ts";

const nodes = useThreeNodes({ circlesHang: true });
const { fill, claim } = deliveryQueueOf(nodes);
const repeatMs = 0;

const rows = async (webhookId = "hook-1"): Promise<ReadonlyMap<string, DeliveryRow>> => {
  const { items } = await nodes().node(0).deliveries.list({ scope, webhookId, limit: 100 });
  return new Map(items.map((row) => [row.deliveryId, row]));
};
const attemptsOf = ({ deliveryId, webhookId }: ClaimedDelivery): Promise<readonly DeliveryAttempt[]> =>
  nodes().node(1).deliveries.attempts({ scope, deliveryId, webhookId });

it("deliveries with an expired lease are claimed again, except those settled late, and the first sender is fenced", async () => {
  await fill(["hook-1", "hook-2"], 3);
  const late = await claim(0, 6, 3);
  nodes().advance(leaseMs - 1);
  const next = claimOf(9, 9);
  const { node } = nodes();
  expect(await node(1).deliveries.claim(next)).toEqual({ deliveries: [], nextDueAtMs: startMs + leaseMs });
  nodes().advance(1);
  const [first, second, ...others] = late;
  if (first === undefined || second === undefined) throw new Error("Six are due.");
  expect(await node(2).deliveries.settle([settled(first, "delivered")])).toMatchObject([{ status: "settled" }]);
  const { deliveries, nextDueAtMs } = await node(1).deliveries.claim(next);
  expect(nextDueAtMs).toBeUndefined();
  const taken = [second, ...others].map((delivery) => ({ ...delivery, epoch: 2, attempt: 2 }));
  expect(new Set(deliveries)).toEqual(new Set(taken));
  const [settledLate] = await node(0).deliveries.settle([settled(second, "failed")]);
  expect(settledLate).toEqual({ status: "fenced" });
  const again = taken.map((delivery) => settled(delivery, "delivered"));
  expect(await node(1).deliveries.settle(again)).toMatchObject(again.map(() => ({ status: "settled" })));
  const all = new Map([...(await rows("hook-1")), ...(await rows("hook-2"))]);
  expect(all.get(first.deliveryId)).toMatchObject({ status: "delivered", attemptCount: 1 });
  for (const { deliveryId } of taken)
    expect(all.get(deliveryId)).toMatchObject({ status: "delivered", attemptCount: 2 });
  expect((await attemptsOf(second)).map(({ error }) => error)).toEqual(["The receiver answered 503.", undefined]);
  for (const delivery of [first, ...others]) expect(await attemptsOf(delivery)).toHaveLength(1);
});

it("a delivery that no other claim has room for stays with its sender, who may settle it however late", async () => {
  await fill(["hook-1", "hook-2"], 2);
  const late = await claim(0, 4, 2);
  nodes().advance(leaseMs);
  const taken = await claim(1, 1, 2);
  expect(taken).toMatchObject([{ epoch: 2, attempt: 2 }]);
  const { node } = nodes();
  const others = late.filter(({ deliveryId }) => deliveryId !== taken[0]?.deliveryId);
  expect(others).toHaveLength(3);
  for (const { deliveryId, webhookId } of others) {
    expect((await rows(webhookId)).get(deliveryId)).toMatchObject({ attemptCount: 1, dueAtMs: startMs + leaseMs });
  }
  const results = await node(0).deliveries.settle(late.map((delivery) => settled(delivery, "delivered")));
  expect(results.map(({ status }) => status).sort()).toEqual(["fenced", "settled", "settled", "settled"]);
  expect(await node(1).deliveries.settle(taken.map((delivery) => settled(delivery, "delivered")))).toMatchObject([
    { status: "settled" },
  ]);
  expect(await claim(2, 9, 9)).toEqual([]);
});

it("one of several senders on three nodes claims each delivery with an expired lease", async () => {
  await fill(["hook-1", "hook-2"], 30);
  const lost = [...(await claim(0, 30, 15)), ...(await claim(1, 30, 30))];
  expect(lost).toHaveLength(60);
  nodes().advance(leaseMs);
  const taken = (await together(12, (number) => claim(number, 5, 30))).flat();
  expect(new Set(taken.map(({ deliveryId }) => deliveryId)).size).toBe(60);
  expect(taken).toMatchObject(taken.map(() => ({ epoch: 2, attempt: 2 })));
});

it.each([
  ["all were accepted", false, false],
  ["some were refused in both", true, true],
  ["some were refused in one of them", true, false],
])("batches that two nodes settle at the same time count once when %s", async (_what, mixedFirst, mixedSecond) => {
  await fill(["hook-1"], 40);
  const claimed = await claim(0, 40, 40);
  const batch = (mixed: boolean) =>
    claimed.map((delivery, place) => settled(delivery, mixed && place % 4 === 0 ? "failed" : "delivered"));
  const { node } = nodes();
  const answers = await together(6, (number) => {
    const items = batch(number % 2 === 0 ? mixedFirst : mixedSecond);
    return node(number).deliveries.settle(number % 3 === 0 ? items.toReversed() : items);
  });
  const inOrder = answers.map((results, number) => (number % 3 === 0 ? results.toReversed() : results));
  for (const [place, delivery] of claimed.entries()) {
    expect(inOrder.filter((results) => results[place]?.status === "settled")).toHaveLength(1);
    expect(await attemptsOf(delivery)).toHaveLength(1);
  }
  for (const row of (await rows()).values()) expect(row.attemptCount).toBe(1);
  expect(await claim(1, 40, 40)).toEqual([]);
});

it("an accepted delivery that is settled again, in any batch, has one attempt", async () => {
  await fill(["hook-1"], 2);
  const [first, second] = await claim(0, 2, 2);
  if (first === undefined || second === undefined) throw new Error("Two are due.");
  const { node } = nodes();
  const accepted = settled(first, "delivered");
  expect(await node(0).deliveries.settle([accepted, accepted])).toMatchObject([
    { status: "settled" },
    { status: "fenced" },
  ]);
  expect(await node(1).deliveries.settle([accepted])).toEqual([{ status: "fenced" }]);
  expect(await node(2).deliveries.settle([settled(second, "failed"), accepted])).toMatchObject([
    { status: "settled" },
    { status: "fenced" },
  ]);
  expect(await attemptsOf(first)).toEqual([{ ...accepted.attempt, error: undefined }]);
});

it("an accepted delivery that is sent again keeps every attempt, in order", async () => {
  await fill(["hook-1"], 1);
  const sent: DeliveryAttempt[] = [];
  for (const status of ["delivered", "delivered", "failed", "delivered"] as const) {
    const [delivery] = await claim(0, 1, 1);
    if (delivery === undefined) throw new Error("One is due.");
    const item = settled(delivery, status);
    expect(await nodes().node(0).deliveries.settle([item])).toMatchObject([{ status: "settled" }]);
    if (item.attempt !== undefined) sent.push({ ...item.attempt, error: item.error });
    expect(await attemptsOf(delivery)).toEqual(sent);
    const { deliveryId, webhookId } = delivery;
    await nodes().node(1).deliveries.resend({ scope, webhookId, deliveryId, repeatMs });
    expect(await attemptsOf(delivery)).toEqual(sent);
    // Settled again after it was made due: it is still one attempt.
    await nodes().node(2).deliveries.settle([item]);
    expect(await attemptsOf(delivery)).toEqual(sent);
  }
});

it("a delivery that is ended while it is being settled is either settled or ended, and leaves the queue", async () => {
  await fill(["hook-1", "hook-2"], 40);
  const claimed = (await Promise.all([claim(0, 30, 30), claim(1, 30, 30)])).flat();
  expect(claimed).toHaveLength(60);
  const { node } = nodes();
  const error = "It was pending in a backup that was restored.";
  const [ends, results] = await Promise.all([
    together(6, (number) => node(number).deliveries.endPending({ scope, error, limit: 10 })),
    together(20, (number) => {
      const items = claimed.slice(number * 3, number * 3 + 3);
      return node(number + 1).deliveries.settle(items.map((delivery) => settled(delivery, "delivered")));
    }),
  ]);
  let ended = ends.reduce((count, end) => count + (end.status === "ended" ? end.deliveries : 0), 0);
  for (;;) {
    const end = await node(0).deliveries.endPending({ scope, error, limit: 10 });
    if (end.status !== "ended" || end.deliveries === 0) break;
    ended += end.deliveries;
  }
  const all = new Map([...(await rows("hook-1")), ...(await rows("hook-2"))]);
  for (const [index, { deliveryId }] of claimed.entries()) {
    const status = results.flat()[index]?.status;
    expect(all.get(deliveryId)).toMatchObject(
      status === "settled" ? { status: "delivered", attemptCount: 1 } : { status: "failed", error, attemptCount: 1 },
    );
  }
  const failed = [...all.values()].filter(({ status }) => status === "failed");
  expect(ended).toBe(failed.length);
  // Nothing is left in the queue: a resent delivery is claimed at once, with an epoch that fences the earlier one.
  for (const { deliveryId, webhookId } of failed) {
    await node(0).deliveries.resend({ scope, webhookId, deliveryId, repeatMs });
  }
  expect(await claim(2, 80, 40)).toHaveLength(failed.length);
  const late = claimed.filter(({ deliveryId }) => all.get(deliveryId)?.status === "failed");
  expect(await node(1).deliveries.settle(late.map((delivery) => settled(delivery, "delivered")))).toEqual(
    late.map(() => ({ status: "fenced" })),
  );
});

it("a delivery that is resent while it is being claimed is attempted once, and is manual if the resend came first", async () => {
  await fill(["hook-1"], 40);
  const { node } = nodes();
  const { items } = await node(0).deliveries.list({ scope, webhookId: "hook-1", limit: 100 });
  const [claims, answers] = await Promise.all([
    together(8, (number) => claim(number, 5, 40)),
    together(40, (number) => {
      const { deliveryId = "" } = items[number] ?? {};
      return node(number).deliveries.resend({ scope, webhookId: "hook-1", deliveryId, repeatMs, manual: true });
    }),
  ]);
  // A claim skips a delivery whose resend is in progress.
  const all = [...claims.flat(), ...(await claim(0, 40, 40))];
  const dispatched = new Map(all.map((delivery) => [delivery.deliveryId, delivery]));
  expect(all).toHaveLength(40);
  expect(dispatched.size).toBe(40);
  for (const answer of answers) {
    if (answer.status !== "resent") throw new Error(answer.status);
    const { deliveryId, dueAtMs, attemptCount } = answer.delivery;
    const underWay = dueAtMs === startMs + leaseMs;
    expect(attemptCount).toBe(underWay ? 1 : 0);
    expect(dispatched.get(deliveryId)).toMatchObject({ epoch: 1, attempt: 1, manual: !underWay });
  }
});

it("nodes that send, resend and end the deliveries of one workspace never deadlock", async () => {
  await fill(["hook-1", "hook-2", "hook-3"], 30);
  const { node } = nodes();
  const known: ClaimedDelivery[] = [];
  /** Settled epochs, by delivery. */
  const reported = new Map<string, Set<number>>();
  let audited = 0;
  const entry = () => ({ audit: { seq: audited + 1, hash: `hash-${audited + 1}`, body: "{}" } });
  await together(12, async (number) => {
    for (let turn = 0; turn < 8; turn++) {
      const claimed = await claim(number, 6, 10);
      known.push(...claimed);
      const items = claimed.map((each, place) => settled(each, (place + turn) % 3 === 0 ? "failed" : "delivered"));
      await node(number).deliveries.settle(turn % 2 === 0 ? items : items.toReversed());
      for (const { deliveryId, epoch } of items)
        reported.set(deliveryId, (reported.get(deliveryId) ?? new Set<number>()).add(epoch));
      const one = known[(number * 7 + turn * 13) % Math.max(1, known.length)];
      if (one !== undefined) {
        const request = { ...one, repeatMs, manual: turn % 2 === 0, ...(number % 3 === 0 && entry()) };
        const { status } = await node(number).deliveries.resend(request);
        if (status === "resent" && "audit" in request) audited++;
      }
      if (number % 4 === 0) {
        const end = await node(number).deliveries.endPending({ scope, error: "Ended.", limit: 3, ...entry() });
        if (end.status === "ended") audited++;
      }
      if (turn % 4 === 3) nodes().advance(leaseMs / 2);
    }
  });
  expect(audited).toBeGreaterThan(12);
  const all = [...(await rows("hook-1")), ...(await rows("hook-2")), ...(await rows("hook-3"))];
  expect(all).toHaveLength(90);
  for (const delivery of known) {
    const row = new Map(all).get(delivery.deliveryId);
    const attempts = await attemptsOf(delivery);
    expect(attempts).toHaveLength(reported.get(delivery.deliveryId)?.size ?? 0);
    expect(attempts.length).toBeLessThanOrEqual(row?.attemptCount ?? 0);
  }
});
