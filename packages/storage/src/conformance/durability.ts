import { describe, expect, it } from "vitest";
import type { Storage } from "../storage.ts";
import type { Bench, ConformanceOptions } from "./bench.ts";
import { openBench } from "./bench.ts";
import { dump } from "./dump.ts";
import {
  audit,
  awaiting,
  committed,
  completed,
  decision,
  event,
  firstRow,
  otherWorker,
  post,
  record,
  review,
  row,
  sandbox,
  version,
  waitingRun,
  worker,
  workspace,
} from "./samples.ts";

/** One write of each kind, in an order in which each one has an effect. */
const writes: readonly (readonly [name: string, write: (storage: Storage) => Promise<unknown>])[] = [
  [
    "publish",
    ({ procedures }) =>
      procedures.publish({ version: version("v1"), defaultIn: [], defaultIfFirst: "sandbox", audit: audit(1) }),
  ],
  ["setDefault", ({ procedures }) => procedures.setDefault({ ...version("v1"), environment: "live", audit: audit(2) })],
  [
    "put",
    ({ records }) =>
      records.put({
        record: record("hook-0", { kind: "webhook", keys: ["acme/sandbox/run_completed"] }),
        ifRevision: 0,
        audit: audit(3),
      }),
  ],
  ["beat", ({ workers }) => workers.beat({ workerId: worker, leaseMs: 1_000 })],
  ["create", ({ runs }) => runs.commit([firstRow("run-1"), waitingRun("run-2", "review-2"), firstRow("run-3")])],
  ["append", ({ runs }) => runs.commit([row("run-1", 2), row("run-3", 2)])],
  ["park", ({ runs }) => runs.commit([row("run-1", 3, { openReview: review("review-1"), then: awaiting })])],
  ["post", ({ inbox }) => inbox.post([post("run-3", "news")])],
  ["decide", ({ reviews }) => reviews.decide(decision("run-1", "review-1"))],
  ["claim", ({ runs }) => runs.claim({ workspace, workerId: worker, limit: 1 })],
  ["hand back", ({ workers }) => workers.handBack({ workerId: worker, runIds: ["run-3"] })],
  [
    "end",
    ({ runs }) =>
      runs.commit([
        row("run-1", 4, { epoch: 2, consume: ["effect-review-1"], events: [event("event-1")], then: completed }),
      ]),
  ],
  ["release", ({ workers }) => workers.release({ workerId: worker })],
  ["remove", ({ records }) => records.remove({ workspace: "acme", kind: "webhook", id: "hook-0", audit: audit(4) })],
];

/** Only for adapters that can be reopened. */
export function describeDurability(options: ConformanceOptions): void {
  const { reopen } = options;
  if (reopen === undefined) return;

  describe("durability", () => {
    async function withBench(work: (bench: Bench) => Promise<void>): Promise<void> {
      const bench = await openBench(options);
      try {
        await work(bench);
      } finally {
        await bench.storage.close();
      }
    }

    it.each(writes.map(([name], index) => [name, index] as const))(
      "%s is there after a crash that follows it",
      async (_name, index) => {
        await withBench(async (bench) => {
          const before: string[] = [];
          for (const [, write] of writes.slice(0, index + 1)) {
            before.push(JSON.stringify(await dump(bench.storage)));
            await write(bench.storage);
          }
          const acknowledged = await dump(bench.storage);
          await bench.reopen();
          expect(await dump(bench.storage)).toEqual(acknowledged);
        });
      },
    );

    it("a crash between any two writes changes no answer", async () => {
      const answers: unknown[][] = [[], []];
      await withBench(async (bench) => {
        for (const [, write] of writes) answers[0]?.push(await write(bench.storage));
      });
      await withBench(async (bench) => {
        for (const [, write] of writes) {
          answers[1]?.push(await write(bench.storage));
          await bench.reopen();
        }
      });
      expect(answers[1]).toEqual(answers[0]);
    });

    it("a restart loses no timer, no lease and no waiting run", async () => {
      await withBench(async (bench) => {
        const { clock } = bench;
        await bench.storage.workers.beat({ workerId: worker, leaseMs: 1_000 });
        await bench.storage.runs.commit([
          firstRow("held"),
          firstRow("timer", { then: { kind: "parked", status: "running", wakeAtMs: clock.now() + 500 } }),
          firstRow("news", { then: awaiting }),
        ]);
        await bench.storage.inbox.post([post("news", "a")]);
        await bench.reopen();
        const claim = async (): Promise<readonly string[]> =>
          (await bench.storage.runs.claim({ workspace, workerId: otherWorker, limit: 9 })).runs.map(
            ({ runId }) => runId,
          );
        await bench.storage.workers.beat({ workerId: otherWorker, leaseMs: 60_000 });
        expect(await claim()).toEqual(["news"]);
        clock.advance(500);
        expect(await claim()).toEqual(["timer"]);
        clock.advance(500);
        expect(await claim()).toEqual(["held"]);
      });
    });

    it("a commit whose answer was lost is settled by repeating it", async () => {
      await withBench(async (bench) => {
        const items = [firstRow("run-1"), waitingRun("run-2", "review-2")];
        await bench.storage.runs.commit(items);
        await bench.reopen();
        expect(await bench.storage.runs.commit(items)).toEqual([committed, committed]);
        expect(await bench.storage.reviews.ofRun({ scope: sandbox, runId: "run-2" })).toHaveLength(1);
      });
    });
  });
}
