import assert from "node:assert/strict";
import fc from "fast-check";
import { manualClock } from "@procedo-testing/faults";
import { createMemoryStorage, type ClaimedRun, type RunCommit } from "@procedo/storage";
import { race } from "./race.ts";

const scope = { workspace: "w", environment: "live" } as const;
const runId = "run_1";

type Action =
  | { readonly do: "post"; readonly key: string; readonly claimFor: boolean }
  | { readonly do: "park" }
  | { readonly do: "claim" }
  | { readonly do: "fold" };

const arbitrary = fc.record({
  scheduler: fc.scheduler(),
  actions: fc.array(
    fc.oneof<fc.Arbitrary<Action>[]>(
      fc.record({ do: fc.constant("post" as const), key: fc.constantFrom("a", "b", "c"), claimFor: fc.boolean() }),
      fc.constant({ do: "park" as const }),
      fc.constant({ do: "claim" as const }),
      fc.constant({ do: "fold" as const }),
    ),
    { minLength: 1, maxLength: 20 },
  ),
});

export const inboxRace = race(
  "inbox: the first notification of a key wins, none is lost, and a parked run with notifications can be claimed",
  arbitrary,
  async ({ scheduler, actions }) => {
    const clock = manualClock();
    const storage = createMemoryStorage({ now: clock.now });
    await storage.workers.heartbeat({ workerId: "w1", leaseMs: 1_000_000 });
    const accepted = new Map<string, string>();
    const consumed = new Set<string>();
    let held: Pick<ClaimedRun, "epoch"> | undefined = { epoch: 1 };
    let seq = 1;
    const row = (then: RunCommit["then"], consume: readonly string[]): RunCommit => ({
      scope,
      runId,
      epoch: held?.epoch ?? 0,
      seq,
      hash: `h${seq}`,
      body: "[]",
      consume,
      then,
    });
    const hot = { kind: "hot", workerId: "w1" } as const;
    const create = { procedureId: "p", procedureVersion: "v1", createdAtMs: clock.now(), startedBy: "alice" };
    await storage.runs.commit({ ...row(hot, []), create });

    const perform = async (action: Action, number: number): Promise<void> => {
      switch (action.do) {
        case "post": {
          const post = { scope, runId, effectKey: action.key, body: String(number) };
          const [result] = await storage.inbox.post([{ ...post, ...(action.claimFor ? { claimFor: "w1" } : {}) }]);
          const first = accepted.get(action.key);
          if (first === undefined) {
            assert.equal(result?.status, "accepted");
            accepted.set(action.key, String(number));
            if (result?.status === "accepted" && result.claimed !== undefined) {
              assert.equal(held, undefined, "An owned run was claimed.");
              held = result.claimed;
            }
          } else {
            assert.deepEqual(result, { status: "superseded", winner: { effectKey: action.key, body: first } });
          }
          return;
        }
        case "park":
        case "fold": {
          if (held === undefined) return;
          const unread = action.do === "fold" ? await storage.inbox.read({ scope, runId }) : [];
          seq += 1;
          const then =
            action.do === "fold" ? hot : ({ kind: "parked", status: "running", wakeAtMs: undefined } as const);
          const result = await storage.runs.commit(
            row(
              then,
              unread.map(({ effectKey }) => effectKey),
            ),
          );
          assert.equal(result?.status, "committed");
          for (const { effectKey, body } of unread) {
            assert.equal(accepted.get(effectKey), body);
            assert.ok(!consumed.has(effectKey), "A notification was returned again after it was consumed.");
            consumed.add(effectKey);
          }
          if (action.do === "park") held = undefined;
          return;
        }
        case "claim": {
          const { runs } = await storage.runs.claim({ workspace: scope.workspace, workerId: "w1", limit: 5 });
          const news = [...accepted.keys()].some((key) => !consumed.has(key));
          assert.equal(
            runs.length,
            held === undefined && news ? 1 : 0,
            "Exactly the parked runs with notifications are claimable.",
          );
          if (runs[0] !== undefined) held = runs[0];
        }
      }
    };
    const done = actions.map((action, number) =>
      scheduler.schedule(Promise.resolve(), action.do).then(() => perform(action, number)),
    );
    await scheduler.waitFor(Promise.all(done));
    const unread = await storage.inbox.read({ scope, runId });
    assert.deepEqual(new Set([...consumed, ...unread.map(({ effectKey }) => effectKey)]), new Set(accepted.keys()));
  },
);
