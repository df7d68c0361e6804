import type { NewDecision, RunCommit, Scope } from "@procedo/storage";
import { expect, it } from "vitest";
import { startMs, together, useThreeNodes } from "./three-nodes.ts";
import { commitAll } from "./run-rows.ts";

const scope: Scope = { workspace: "acme", environment: "live" };
const nodes = useThreeNodes();

/** The row with which a run opens a review and waits for it. */
function asking(runId: string, then: RunCommit["then"] = waiting): RunCommit {
  const create = { procedureId: "pay", procedureVersion: "v1", createdAtMs: startMs, startedBy: "ada" };
  const openReview = {
    reviewId: `review-of-${runId}`,
    nodeId: "approve",
    kind: "human_review",
    title: "Pay 100?",
    body: "{}",
    digest: "digest",
    effectKey: "approve-1",
    openedAtMs: startMs,
  };
  return { scope, runId, epoch: 1, seq: 1, hash: "hash-1", body: "{}", create, openReview, then };
}

const waiting = { kind: "parked", status: "awaiting_review", wakeAtMs: undefined } as const;
const hot = { kind: "hot", workerId: "worker-1" } as const;

function decision(runId: string, person: string, changes: Partial<NewDecision> = {}): NewDecision {
  const { approved = true } = changes;
  return {
    scope,
    runId,
    reviewId: `review-of-${runId}`,
    decisionId: `decision-of-${person}`,
    person,
    approved,
    idempotencyKey: `key-of-${person}`,
    body: JSON.stringify({ person, approved }),
    approvalsNeeded: 1,
    atMs: startMs + 100,
    ...changes,
  };
}

it("one of a hundred decisions of ten people on three nodes closes the review and gets the run", async () => {
  const { storages, node } = nodes();
  await storages[0].runs.commit(asking("run-1"));
  const answers = await together(100, (number) =>
    node(number).reviews.decide(
      decision("run-1", `person-${number % 10}`, {
        approved: number % 2 === 0,
        idempotencyKey: `key-${number}`,
        claimFor: `worker-of-${number}`,
      }),
    ),
  );
  const recorded = answers.flatMap((answer) => (answer.status === "recorded" ? [answer] : []));
  expect(recorded).toMatchObject([{ closed: true, claimed: { runId: "run-1", epoch: 2, journal: [{ seq: 1 }] } }]);
  const stored = await storages[1].reviews.get({ scope, reviewId: "review-of-run-1" });
  expect(stored?.decisions).toHaveLength(1);
  const refused = answers.filter(({ status }) => status === "not_open");
  expect(refused).toHaveLength(99);
  for (const answer of refused) expect(answer).toEqual({ status: "not_open", review: stored });
  expect(recorded[0]?.claimed?.inbox).toEqual([{ effectKey: "approve-1", body: `[${stored?.decisions[0] ?? ""}]` }]);
  expect(await storages[2].inbox.read({ scope, runId: "run-1" })).toEqual(recorded[0]?.claimed?.inbox);
});

it("one decision that arrives fifty times on three nodes is one decision, with the same answer each time", async () => {
  const { storages, node } = nodes();
  await storages[0].runs.commit(asking("run-1"));
  const once = decision("run-1", "ada");
  const answers = await together(50, (number) => node(number).reviews.decide(once));
  expect(answers.filter(({ status }) => status === "recorded")).toHaveLength(1);
  const replayed = answers.filter(({ status }) => status === "replayed");
  expect(replayed).toHaveLength(49);
  for (const answer of replayed) expect(answer).toEqual({ status: "replayed", body: once.body });
});

it("one key that fifty runs use at the same time belongs to one of them", async () => {
  const { storages, node } = nodes();
  const runIds = Array.from({ length: 50 }, (_, number) => `run-${number}`);
  await commitAll(
    storages[0].runs,
    runIds.map((runId) => asking(runId)),
  );
  const answers = await together(50, (number) =>
    node(number).reviews.decide(decision(runIds[number] ?? "", "ada", { idempotencyKey: "the-key" })),
  );
  expect(answers.filter(({ status }) => status === "recorded")).toHaveLength(1);
  expect(answers.filter(({ status }) => status === "key_reused")).toHaveLength(49);
  const open = await storages[1].reviews.list({ scope, status: "open", limit: 100 });
  expect(open.items).toHaveLength(49);
  for (const { decisions } of open.items) expect(decisions).toEqual([]);
});

it("a quorum of three is reached once, even if others approve at the same time", async () => {
  const { storages, node } = nodes();
  await storages[0].runs.commit(asking("run-1"));
  const answers = await together(60, (number) =>
    node(number).reviews.decide(
      decision("run-1", `person-${number % 20}`, { approvalsNeeded: 3, idempotencyKey: `key-${number}` }),
    ),
  );
  const recorded = answers.flatMap((answer) => (answer.status === "recorded" ? [answer.closed] : []));
  expect(recorded.toSorted()).toEqual([false, false, true]);
  const stored = await storages[1].reviews.get({ scope, reviewId: "review-of-run-1" });
  expect(stored).toMatchObject({ status: "approved" });
  expect(new Set(stored?.decisions).size).toBe(3);
  expect(await storages[2].inbox.read({ scope, runId: "run-1" })).toEqual([
    { effectKey: "approve-1", body: `[${stored?.decisions.join(",") ?? ""}]` },
  ]);
});

it("decision, expiry and the owner's cancellation on three nodes have one outcome", async () => {
  const { storages } = nodes();
  const [deciding, expiring, owning] = storages;
  const runIds = Array.from({ length: 30 }, (_, number) => `run-${number}`);
  await commitAll(
    owning.runs,
    runIds.map((runId) => asking(runId, hot)),
  );
  const expiry = { scope, effectKey: "approve-1", body: '"expired"', closeReview: "expired" } as const;
  const cancel = { scope, epoch: 1, seq: 2, hash: "hash-2", body: "{}", closeReview: { status: "cancelled" } } as const;
  const then = { kind: "ended", status: "failed", endedAtMs: startMs } as const;

  const outcomes = await Promise.all(
    runIds.map(async (runId) => {
      const [decided, [expired], [ended]] = await Promise.all([
        deciding.reviews.decide(decision(runId, "ada", { idempotencyKey: `key-of-${runId}` })),
        expiring.inbox.post([{ ...expiry, runId }]),
        commitAll(owning.runs, [{ ...cancel, runId, then }]),
      ]);
      const won = [
        ["approved", decided.status === "recorded"],
        ["expired", expired?.status === "accepted"],
        ["cancelled", ended?.status === "committed"],
      ] as const;
      return { runId, won: won.flatMap(([status, wins]) => (wins ? [status] : [])) };
    }),
  );
  for (const { runId, won } of outcomes) {
    expect(won).toHaveLength(1);
    const review = await deciding.reviews.get({ scope, reviewId: `review-of-${runId}` });
    expect(review?.status).toBe(won[0]);
    const unread = await expiring.inbox.read({ scope, runId });
    expect(unread).toHaveLength(won[0] === "cancelled" ? 0 : 1);
  }
});
