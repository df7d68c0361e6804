import type { Change, LeasedInvocation, RunCommit, Scope } from "@procedo/storage";
import { expect, it } from "vitest";
import { startMs, together, useThreeNodes } from "./three-nodes.ts";
import { commitAll } from "./run-rows.ts";

const scope: Scope = { workspace: "acme", environment: "live" };
const connection = { scope, connectionId: "connection-1" };
const leaseMs = 1_000;
const nodes = useThreeNodes();

function waiting(number: number, idempotent: boolean): RunCommit {
  const invocationId = `invocation-${number}`;
  const deadlineMs = startMs + 60_000;
  return {
    scope,
    runId: `run-${number}`,
    epoch: 1,
    seq: 1,
    hash: "hash-1",
    body: "{}",
    create: { procedureId: "pay", procedureVersion: "v1", createdAtMs: startMs, startedBy: "ada" },
    invocation: {
      ...{ invocationId, connectionId: "connection-1", functionName: "screen", idempotent },
      ...{ payload: "{}", effectKey: "effect", deadlineMs },
    },
    then: { kind: "parked", status: "running", wakeAtMs: deadlineMs },
  };
}

async function fill(count: number, idempotent = false): Promise<void> {
  const items = Array.from({ length: count }, (_, number) => waiting(number, idempotent));
  const results = await commitAll(nodes().storages[0].runs, items);
  expect(results).toEqual(items.map(() => ({ status: "committed" })));
}

function lease(number: number, leaseToken: string, limit: number): Promise<readonly LeasedInvocation[]> {
  const request = { ...connection, functions: ["screen"], limit, leaseMs, leaseToken };
  return nodes().node(number).invocations.lease(request);
}

async function settle(number: number, { invocationId, leaseToken }: LeasedInvocation): Promise<string> {
  const result = { ...connection, invocationId, leaseToken, body: "{}" };
  return (await nodes().node(number).invocations.settle(result)).status;
}

it("clients on three nodes get each invocation once, and each result counts once", async () => {
  await fill(240);
  const { node } = nodes();
  const mine: string[] = [];
  const answers: string[] = [];

  async function serve(number: number): Promise<void> {
    for (let turn = 0; mine.length < 240; turn++) {
      const leases = await lease(number + turn, `token-${number}-${turn}`, 7);
      mine.push(...leases.map(({ invocationId }) => invocationId));
      if (leases.length === 0) continue;
      expect(await node(turn).invocations.extend({ ...connection, leases, leaseMs })).toEqual(leases.map(() => "held"));
      const results = leases.flatMap((one) => [node(turn), node(turn + 1)].map((at) => ({ one, at })));
      const settled = results.map(({ one, at }) => at.invocations.settle({ ...connection, ...one, body: "{}" }));
      answers.push(...(await Promise.all(settled)).map(({ status }) => status));
    }
  }

  await together(9, serve);
  expect(mine).toHaveLength(240);
  expect(new Set(mine).size).toBe(240);
  expect(answers.filter((answer) => answer === "accepted")).toHaveLength(240);
  expect(answers.filter((answer) => answer === "repeated")).toHaveLength(240);
  // Claims may be executed one after another, and any worker may claim the runs of a worker without heartbeats.
  await together(3, (number) => node(number).workers.heartbeat({ workerId: `worker-${number}`, leaseMs: 60_000 }));
  const claims = await together(3, (number) =>
    node(number).runs.claim({ workspace: "acme", workerId: `worker-${number}`, limit: 240 }),
  );
  const inboxes = claims.flatMap(({ runs }) => runs.map(({ inbox }) => inbox));
  expect(inboxes).toHaveLength(240);
  expect(inboxes.filter((inbox) => inbox.length === 1)).toHaveLength(240);
});

it("an invocation that one node stores is announced to waiting clients on the others", async () => {
  const [first, second, third] = nodes().storages;
  const received = Promise.all(
    [second, third].map(
      (storage) =>
        new Promise<Change>((resolve) => {
          storage.watch((change) => {
            if (change.type === "invocable") resolve(change);
          });
        }),
    ),
  );
  await first.runs.commit(waiting(1, false));
  const invocable = { type: "invocable", connectionId: "connection-1" };
  expect(await received).toEqual([invocable, invocable]);
});

it("calls, lapses, results and withdrawals on three nodes never deadlock, and are consistent", async () => {
  const count = 60;
  await fill(count);
  const { node } = nodes();
  const leases = await lease(0, "token-1", count);
  expect(leases).toHaveLength(count);
  await node(0).invocations.extend({ ...connection, leases: leases.slice(0, 40), leaseMs });
  nodes().advance(leaseMs);
  const [lapsed, settled, withdrawn, held] = await Promise.all([
    together(9, (number) => node(number).invocations.expireLeases({ workspace: "acme", limit: 10, body: "{}" })),
    together(count, (number) => {
      const one = leases[number];
      return one === undefined || number % 3 !== 0 ? Promise.resolve("none") : settle(number, one);
    }),
    together(count, (number) => {
      const { runId = "" } = leases[number] ?? {};
      return node(number + 1).invocations.withdraw({ scope, runId, effectKey: "effect" });
    }),
    together(6, (number) => {
      const some = leases.slice(10 * number, 10 * number + 20);
      return node(number).invocations.extend({
        ...connection,
        leases: number % 2 === 0 ? some : some.toReversed(),
        leaseMs,
      });
    }),
  ]);
  expect(held.flat()).not.toHaveLength(0);
  const gone = new Set(lapsed.flat().map(({ invocationId }) => invocationId));
  expect(gone.size).toBe(lapsed.flat().length);
  for (const [number, { invocationId, runId }] of leases.entries()) {
    const [row] = await node(number).invocations.ofRun({ scope, runId });
    const keys = (await node(number).inbox.read({ scope, runId })).map(({ effectKey }) => effectKey).sort();
    const accepted = settled[number] === "accepted";
    expect([invocationId, keys]).toEqual([
      invocationId,
      [...(accepted ? ["effect"] : []), ...(gone.has(invocationId) ? ["lapsed:effect"] : [])],
    ]);
    const status = accepted ? "settled" : gone.has(invocationId) ? "lapsed" : row?.status;
    expect(row?.status).toBe(status);
    // A call that was withdrawn for its run is settled by no client.
    if (withdrawn[number] === "withdrawn") expect([row?.status, keys]).toEqual(["withdrawn", []]);
  }
});

it("three nodes whose clients race for expired leases of idempotent functions get different ones", async () => {
  await fill(30, true);
  const leases = await lease(0, "token-0", 30);
  await nodes()
    .node(0)
    .invocations.extend({ ...connection, leases, leaseMs });
  nodes().advance(leaseMs);
  const taken = (await together(30, (number) => lease(number, `token-of-${number}`, 2))).flat();
  expect(new Set(taken.map(({ invocationId }) => invocationId)).size).toBe(taken.length);
  const late = await together(30, (number) => {
    const [one] = leases.slice(number);
    return one === undefined ? Promise.resolve("none") : settle(number, one);
  });
  const others = new Set(taken.map(({ invocationId }) => invocationId));
  expect(late).toEqual(leases.map(({ invocationId }) => (others.has(invocationId) ? "stale" : "accepted")));
});
