import { describe, expect, it } from "vitest";
import type { ConformanceOptions } from "./harness.ts";
import { startMs, useHarness } from "./harness.ts";
import { codeOf, readAll } from "./pages.ts";
import { audit, completed, elsewhere, firstRow, live, row, sandbox } from "./samples.ts";
import {
  asked,
  claim,
  claimOne,
  failed,
  incoming,
  put,
  skipped,
  starting,
  stateOf,
  take,
  takeEach,
  trigger,
} from "./trigger-samples.ts";
import type { FiringQuery } from "../firings.ts";
import type { RunQuery } from "../run-query.ts";

export function describeFiringLists(options: ConformanceOptions): void {
  describe("triggers.list and get", () => {
    const at = useHarness(options);

    const list = async (query: Partial<FiringQuery> = {}, limit = 100) => {
      const { triggers } = at().storage;
      const request = { scope: sandbox, triggerId: "trg-1", ...query };
      const firings = await readAll(limit, (page) => triggers.list({ ...request, ...page }));
      return firings.map(({ event }) => event?.id);
    };

    async function fill(): Promise<void> {
      const { storage, clock } = at();
      await put(storage, trigger("trg-1"));
      await takeEach(storage, ["evt-1", "evt-2"]);
      clock.advance(10);
      await takeEach(storage, ["evt-3", "evt-4", "evt-5"]);
      const [first, second, third] = (await claim(storage, { limit: 3 })).firings;
      if (first === undefined || second === undefined || third === undefined) throw new Error("Three are due.");
      await storage.triggers.settle([skipped(first), failed(second)]);
      await storage.runs.commit(starting(third, "run-1"));
      await put(storage, trigger("trg-1", { isHeld: true }));
      await claim(storage);
      await put(storage, trigger("trg-1"));
      await takeEach(storage, ["evt-6"]);
    }

    it.each([1, 2, 9])("return the firings in pages of %i, newest first", async (limit) => {
      await fill();
      expect(await list({}, limit)).toEqual(["evt-6", "evt-5", "evt-4", "evt-3", "evt-2", "evt-1"]);
    });

    it.each([
      ["pending", ["evt-6"]],
      ["waiting", ["evt-5", "evt-4"]],
      ["started", ["evt-3"]],
      ["failed", ["evt-2"]],
      ["skipped", ["evt-1"]],
    ] as const)("filter by the status %s", async (status, ids) => {
      await fill();
      expect(await list({ status }, 1)).toEqual(ids);
    });

    it("filter by time", async () => {
      await fill();
      expect(await list({ toMs: startMs + 10 })).toEqual(["evt-2", "evt-1"]);
      expect(await list({ fromMs: startMs + 10, status: "started" })).toEqual(["evt-3"]);
      expect(await list({ fromMs: startMs + 11 })).toEqual([]);
    });

    it("find nothing of another trigger or scope, and refuse its cursors and those of another query", async () => {
      await fill();
      const { triggers } = at().storage;
      const request = { scope: sandbox, triggerId: "trg-1", limit: 2 };
      const { items, nextCursor: cursor = "" } = await triggers.list(request);
      const firingId = items[0]?.firingId ?? "";
      for (const changed of [{ scope: live }, { scope: elsewhere }, { triggerId: "trg-2" }]) {
        expect((await triggers.list({ ...request, ...changed })).items).toEqual([]);
        expect(await triggers.get({ ...request, ...changed, firingId })).toBeUndefined();
        expect(await codeOf(triggers.list({ ...request, ...changed, cursor }))).toBe("invalid_cursor");
      }
      for (const changed of [{ status: "failed" as const }, { fromMs: 1 }, { toMs: 1 }, { cursor: "x" }]) {
        expect(await codeOf(triggers.list({ ...request, cursor, ...changed }))).toBe("invalid_cursor");
      }
      expect(await triggers.get({ ...request, firingId })).toMatchObject({ firingId, event: { id: "evt-6" } });
      expect(await triggers.get({ ...request, firingId: "fir_unknown" })).toBeUndefined();
    });
  });

  describe("triggers.states", () => {
    const at = useHarness(options);

    /** Settles the next firing: `f` fails, `s` is skipped, `c`, `x` and `o` start runs that complete, fail or stay open. */
    async function settle(results: string): Promise<void> {
      const { storage, clock } = at();
      for (const result of results) {
        clock.advance(1);
        const id = String(clock.now());
        await takeEach(storage, [`evt-${id}`]);
        const firing = await claimOne(storage);
        if (result === "f" || result === "s") {
          await storage.triggers.settle([result === "f" ? failed(firing) : skipped(firing)]);
          continue;
        }
        await storage.runs.commit(starting(firing, `run-${id}`));
        const then = result === "c" ? completed : { ...completed, status: "failed" as const };
        if (result !== "o") await storage.runs.commit(row(`run-${id}`, 2, { then }));
      }
    }

    it.each([
      ["", 0],
      ["c", 0],
      ["fx", 2],
      ["ffcfxsfo", 3],
      ["ffc", 0],
      ["oso", 0],
    ])("count the failures in a row after %j", async (results, consecutiveFailures) => {
      await put(at().storage, trigger("trg-1"));
      await settle(results);
      expect(await stateOf(at().storage, "trg-1")).toMatchObject({ consecutiveFailures });
    });

    it("return the time of the newest firing and the number of those that wait, for each trigger that exists", async () => {
      const { storage, clock } = at();
      await put(storage, trigger("trg-1"));
      await put(storage, trigger("trg-2", { isHeld: true }, { keys: [] }));
      await put(storage, trigger("trg-3", {}, { scope: live }));
      await takeEach(storage, ["evt-1"]);
      clock.advance(5);
      await takeEach(storage, ["evt-2"]);
      await claimOne(storage);
      const triggerIds = ["trg-1", "trg-2", "trg-3", "trg-4", "trg-1"];
      const states = await storage.triggers.states({ scope: sandbox, triggerIds });
      expect(states.toSorted((a, b) => (a.triggerId < b.triggerId ? -1 : 1))).toEqual([
        {
          triggerId: "trg-1",
          schedule: undefined,
          lastFiringAtMs: startMs + 5,
          waiting: 2,
          consecutiveFailures: 0,
        },
        { triggerId: "trg-2", schedule: undefined, lastFiringAtMs: undefined, waiting: 0, consecutiveFailures: 0 },
      ]);
    });

    it("count at most a thousand that wait", async () => {
      const { storage } = at();
      await put(storage, trigger("trg-1"));
      const events = Array.from({ length: 1_001 }, (_, index) => incoming(`evt-${index}`));
      await take(storage, events);
      expect(await stateOf(storage, "trg-1")).toMatchObject({ waiting: 1_000 });
    });
  });

  describe("runs that a trigger started", () => {
    const at = useHarness(options);

    const list = async (query: Partial<RunQuery>, limit = 1) => {
      const { runs } = at().storage;
      const rows = await readAll(limit, (page) => runs.list({ scope: sandbox, ...query, ...page }));
      return rows.map(({ runId }) => runId);
    };

    async function fill(): Promise<void> {
      const { storage } = at();
      const by = (triggerId: string, more: Parameters<typeof firstRow>[1] = {}, at = 0) => ({
        ...more,
        create: { createdAtMs: startMs + at, trigger: { triggerId, body: `"${triggerId}"` }, ...more.create },
      });
      await storage.runs.commit(firstRow("run-1", by("trg-1", { create: { reference: "INV-1" } })));
      await storage.runs.commit(firstRow("run-2", by("trg-2", { create: { reference: "INV-2" } }, 1)));
      await storage.runs.commit(firstRow("run-3", by("trg-1", { then: completed }, 2)));
      await storage.runs.commit(
        firstRow("run-4", by("trg-1", { create: { procedureId: "refund", startedBy: "bob" } }, 3)),
      );
      await storage.runs.commit(firstRow("run-5", { create: { createdAtMs: startMs + 4 } }));
      await storage.runs.commit(
        firstRow("run-6", { create: { createdAtMs: startMs + 5, trigger: { body: '"ada"' } } }),
      );
      await storage.runs.commit(firstRow("run-7", by("trg-1", { scope: live })));
    }

    it.each([
      [{}, ["run-4", "run-3", "run-1"]],
      [{ statuses: ["running"] }, ["run-4", "run-1"]],
      [{ statuses: ["completed", "failed"] }, ["run-3"]],
      [{ procedureId: "refund" }, ["run-4"]],
      [{ startedBy: "bob" }, ["run-4"]],
      [{ version: "v2" }, []],
      [{ fromMs: startMs + 1, toMs: startMs + 3 }, ["run-3"]],
      [{ search: "INV" }, ["run-1"]],
      [{ search: "run-3" }, ["run-3"]],
      [{ search: "run-2" }, []],
      [{ attention: { failedSinceMs: 0, startedSinceMs: 0 } }, []],
    ] as const)("are listed by it, with %j", async (query, ids) => {
      await fill();
      expect(await list({ ...query, triggerId: "trg-1" })).toEqual(ids);
    });

    it("are all listed without the filter, each with what started it", async () => {
      await fill();
      const { items } = await at().storage.runs.list({ scope: sandbox, limit: 9 });
      expect(items.map(({ runId, trigger: by }) => [runId, by])).toEqual([
        ["run-6", '"ada"'],
        ["run-5", undefined],
        ["run-4", '"trg-1"'],
        ["run-3", '"trg-1"'],
        ["run-2", '"trg-2"'],
        ["run-1", '"trg-1"'],
      ]);
      expect(await at().storage.runs.get({ scope: sandbox, runId: "run-2" })).toMatchObject({ trigger: '"trg-2"' });
      const found = await at().storage.runs.list({ scope: sandbox, search: "INV-2", limit: 9 });
      expect(found.items).toMatchObject([{ runId: "run-2", trigger: '"trg-2"' }]);
    });

    it("refuse a cursor of another trigger", async () => {
      await fill();
      const { runs } = at().storage;
      const request = { scope: sandbox, limit: 1 };
      const { nextCursor: cursor = "" } = await runs.list({ ...request, triggerId: "trg-1" });
      expect(await codeOf(runs.list({ ...request, triggerId: "trg-2", cursor }))).toBe("invalid_cursor");
      expect(await codeOf(runs.list({ ...request, cursor }))).toBe("invalid_cursor");
    });

    it("keep what started them after they were archived, and so do their firings", async () => {
      const { storage } = at();
      await put(storage, trigger("trg-1"));
      await storage.triggers.add({ scope: sandbox, triggerId: "trg-1", firings: [asked("a")] });
      const commit = starting(await claimOne(storage), "run-1", completed);
      await storage.runs.commit(commit);
      const head = { runId: "run-1", seq: 1, hash: "hash-run-1-1", output: undefined };
      const archived = await storage.retention.archive({ scope: sandbox, runs: [head], audit: audit(1) });
      expect(archived).toEqual({ status: "archived" });
      const body = commit.create?.trigger?.body;
      expect(await storage.runs.get({ scope: sandbox, runId: "run-1" })).toMatchObject({ trigger: body });
      expect(await list({ triggerId: "trg-1" })).toEqual(["run-1"]);
      const { items } = await storage.triggers.list({ scope: sandbox, triggerId: "trg-1", limit: 9 });
      expect(items).toMatchObject([{ status: "started", run: { runId: "run-1", status: "completed" } }]);
    });
  });
}
