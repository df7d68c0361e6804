import { ProcedoError, type Environment } from "@procedo/contract";
import type { CommitResult, LaterItems, RunCommit } from "@procedo/storage";
import { describe, expect, test } from "vitest";
import { createCommitter } from "./committer.ts";

function row(runId: string, environment: Environment = "sandbox"): RunCommit {
  return {
    scope: { workspace: "w", environment },
    runId,
    epoch: 1,
    seq: 1,
    hash: "h",
    body: "[]",
    then: { kind: "parked", status: "running", wakeAtMs: 0 },
  };
}

/** A storage that answers when a test says so. */
function scripted() {
  const flushes: {
    readonly items: readonly RunCommit[];
    readonly later: LaterItems | undefined;
    answer(results?: readonly CommitResult[]): void;
    fail(error: Error): void;
  }[] = [];
  const commit = (items: readonly RunCommit[], later?: LaterItems): Promise<readonly CommitResult[]> =>
    new Promise((resolve, reject) => {
      flushes.push({
        items,
        later,
        answer: (results = items.map(() => ({ status: "committed" as const }))) => resolve(results),
        fail: reject,
      });
    });
  return { flushes, commit };
}

const committed = (count: number): readonly CommitResult[] =>
  Array.from({ length: count }, () => ({ status: "committed" }));

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
let nowMs = 0;
const clock = {
  soon: (callback: () => void): void => void setImmediate(callback),
  monotonic: () => nowMs,
};

describe("the committer", () => {
  test("gathers the rows of one turn into one call, and each caller gets its own row's answer", async () => {
    const { flushes, commit } = scripted();
    const committer = createCommitter({ commit }, clock);
    const answers = ["a", "b", "c"].map((runId) => committer.commit(row(runId)));
    await turn();
    expect(flushes.map(({ items }) => items.map(({ runId }) => runId))).toEqual([["a", "b", "c"]]);
    flushes[0]?.answer([{ status: "committed" }, { status: "fenced" }, { status: "exists", runId: "x", digest: "d" }]);
    expect(await Promise.all(answers)).toEqual([
      { status: "committed" },
      { status: "fenced" },
      { status: "exists", runId: "x", digest: "d" },
    ]);
  });

  test("keeps the rows that come while a call is under way for the next one", async () => {
    const { flushes, commit } = scripted();
    const committer = createCommitter({ commit }, clock);
    const first = committer.commit(row("a"));
    await turn();
    const others = [committer.commit(row("b")), committer.commit(row("c"))];
    await turn();
    expect(flushes).toHaveLength(1);
    flushes[0]?.answer();
    await first;
    await turn();
    await turn();
    expect(flushes.map(({ items }) => items.length)).toEqual([1, 2]);
    flushes[1]?.answer();
    expect(await Promise.all(others)).toHaveLength(2);
  });

  test("when a call fails every row of it is of unknown fate, and the next call is made all the same", async () => {
    const { flushes, commit } = scripted();
    const committer = createCommitter({ commit }, clock);
    const failing = Promise.allSettled([committer.commit(row("a")), committer.commit(row("b"))]);
    await turn();
    flushes[0]?.fail(new Error("disk full"));
    expect((await failing).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    const next = committer.commit(row("c"));
    await turn();
    await turn();
    flushes[1]?.answer();
    expect(await next).toEqual({ status: "committed" });
  });

  test("a storage that answers too few items leaves nobody waiting", async () => {
    const { flushes, commit } = scripted();
    const committer = createCommitter({ commit }, clock);
    const answers = Promise.allSettled([committer.commit(row("a")), committer.commit(row("b"))]);
    await turn();
    flushes[0]?.answer([{ status: "committed" }]);
    expect((await answers).map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  });

  test("a call holds at most 128 rows, and none is forgotten", async () => {
    const { flushes, commit } = scripted();
    const committer = createCommitter({ commit }, clock);
    const answers = Array.from({ length: 300 }, (_, index) => committer.commit(row(`r${index}`)));
    while (flushes.reduce((sum, { items }) => sum + items.length, 0) < 300) {
      await turn();
      flushes.at(-1)?.answer();
    }
    flushes.at(-1)?.answer();
    expect(await Promise.all(answers)).toHaveLength(300);
    expect(flushes.map(({ items }) => items.length)).toEqual([128, 128, 44]);
    expect(flushes.flatMap(({ items }) => items.map(({ runId }) => runId))).toEqual(
      answers.map((_answer, index) => `r${index}`),
    );
  });

  test("a storage that takes two calls at once has two under way and no third", async () => {
    const { flushes, commit } = scripted();
    const committer = createCommitter({ commit, commitsAtOnce: 2 }, clock);
    const answers: Promise<CommitResult>[] = [];
    for (const runId of ["a", "b", "c", "d"]) {
      answers.push(committer.commit(row(runId)));
      await turn();
    }
    expect(flushes.map(({ items }) => items.map(({ runId }) => runId))).toEqual([["a"], ["b"]]);
    flushes[1]?.answer();
    await turn();
    await turn();
    expect(flushes.map(({ items }) => items.map(({ runId }) => runId))).toEqual([["a"], ["b"], ["c", "d"]]);
    flushes[0]?.answer();
    flushes[2]?.answer([{ status: "committed" }, { status: "fenced" }]);
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([
      "committed",
      "committed",
      "committed",
      "fenced",
    ]);
  });

  test("rows that gathered while nothing was under way go in two halves, so that their runs do not go on all at once", async () => {
    const { flushes, commit } = scripted();
    const committer = createCommitter({ commit, commitsAtOnce: 2 }, clock);
    const answers = Array.from({ length: 100 }, (_, at) =>
      committer.commit(row(`r${at}`, at < 60 ? "sandbox" : "live")),
    );
    await turn();
    await turn();
    expect(flushes.map(({ items }) => items.length)).toEqual([50, 50]);
    expect(flushes[0]?.items.filter(({ scope }) => scope.environment === "live")).toHaveLength(20);
    for (const flush of flushes) flush.answer();
    expect(await Promise.all(answers)).toHaveLength(100);
  });

  test("while both environments have work a call holds as many rows of each as go on in the time that it takes", async () => {
    const { flushes, commit } = scripted();
    const committer = createCommitter({ commit }, clock);
    const rows = [
      ...Array.from({ length: 300 }, (_, at) => row(`s${at}`)),
      ...Array.from({ length: 100 }, (_, at) => row(`l${at}`, "live")),
    ];
    const answers = rows.map((one) => committer.commit(one));
    const sizes = () => flushes.map(({ items }) => items.length);
    const ofLive = () => flushes.map(({ items }) => items.filter(({ scope }) => scope.environment === "live").length);
    const flushIn = async (ms: number) => {
      await turn();
      nowMs += ms;
      flushes.at(-1)?.answer();
      await turn();
      await turn();
    };
    for (const ms of [2, 2, 1, 1]) await flushIn(ms);
    expect(sizes()).toEqual([128, 64, 36, 16, 16]);
    expect(ofLive()).toEqual([64, 32, 4, 0, 0]);
    // The other environment has had nothing for a while.
    nowMs += 1_000;
    await flushIn(1);
    expect(sizes().at(-1)).toBe(128);
    while (flushes.reduce((sum, { items }) => sum + items.length, 0) < rows.length) await flushIn(1);
    flushes.at(-1)?.answer();
    expect(await Promise.all(answers)).toHaveLength(rows.length);
  });

  test("rows that come before storage begins go with the call, and each caller gets its own row's answer", async () => {
    const { flushes, commit } = scripted();
    const committer = createCommitter({ commit }, clock);
    const first = committer.commit(row("a"));
    await turn();
    const later = [committer.commit(row("b")), committer.commit(row("c", "live"))];
    expect(flushes[0]?.later?.count()).toBe(2);
    expect(flushes[0]?.later?.take().map(({ runId }) => runId)).toEqual(["b", "c"]);
    const next = committer.commit(row("d"));
    flushes[0]?.answer([{ status: "committed" }, { status: "fenced" }, { status: "exists", runId: "x", digest: "d" }]);
    expect((await Promise.all([first, ...later])).map(({ status }) => status)).toEqual([
      "committed",
      "fenced",
      "exists",
    ]);
    await turn();
    await turn();
    expect(flushes.map(({ items }) => items.map(({ runId }) => runId))).toEqual([["a"], ["d"]]);
    flushes[1]?.answer();
    expect(await next).toEqual({ status: "committed" });
  });

  test("rows that storage took late fail with the call", async () => {
    const { flushes, commit } = scripted();
    const committer = createCommitter({ commit }, clock);
    const answers = [committer.commit(row("a"))];
    await turn();
    answers.push(committer.commit(row("b")));
    flushes[0]?.later?.take();
    flushes[0]?.fail(new Error("disk full"));
    expect((await Promise.allSettled(answers)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });

  test("a call that holds as many rows of one environment as it may takes no late rows of the other", async () => {
    const { flushes, commit } = scripted();
    const committer = createCommitter({ commit }, clock);
    const answers = Array.from({ length: 128 }, (_, at) => committer.commit(row(`s${at}`)));
    await turn();
    answers.push(...Array.from({ length: 300 }, (_, at) => committer.commit(row(`l${at}`, "live"))));
    expect(flushes[0]?.later?.count()).toBe(0);
    expect(flushes[0]?.later?.take()).toEqual([]);
    let underWay = true;
    const all = Promise.all(answers).finally(() => (underWay = false));
    for (let next = 0; underWay; await turn()) if (next < flushes.length) flushes[next++]?.answer();
    expect(await all).toHaveLength(428);
  });

  test("rows that are asked for when the call has been answered, or has failed, go with the next one", async () => {
    for (const end of ["answer", "fail"] as const) {
      const { flushes, commit } = scripted();
      const committer = createCommitter({ commit }, clock);
      const first = Promise.allSettled([committer.commit(row("a"))]);
      await turn();
      if (end === "answer") flushes[0]?.answer();
      else flushes[0]?.fail(new Error("disk full"));
      await first;
      const second = committer.commit(row("b"));
      expect(flushes[0]?.later?.take()).toEqual([]);
      await turn();
      await turn();
      flushes[1]?.answer();
      expect(await second).toEqual({ status: "committed" });
    }
  });

  test("late rows make a call no larger than it may be, of each environment", async () => {
    const { flushes, commit } = scripted();
    const committer = createCommitter({ commit }, clock);
    const add = (count: number, environment: Environment) =>
      Array.from({ length: count }, (_, at) => committer.commit(row(`${environment}${at}`, environment)));
    const answers = add(100, "sandbox");
    await turn();
    answers.push(...add(50, "sandbox"));
    expect(flushes[0]?.later?.count()).toBe(28);
    expect(flushes[0]?.later?.take()).toHaveLength(28);
    nowMs += 2;
    flushes[0]?.answer(committed(128));
    await turn();
    await turn();
    expect(flushes[1]?.items).toHaveLength(22);
    // From here on both have work, for 32 of each in these two milliseconds.
    answers.push(...add(70, "sandbox"), ...add(70, "live"));
    expect(flushes[1]?.later?.count()).toBe(42);
    const late = flushes[1]?.later?.take() ?? [];
    expect(flushes[1]?.later?.count()).toBe(0);
    expect(late.filter(({ scope }) => scope.environment === "sandbox")).toHaveLength(32 - 22);
    expect(late.filter(({ scope }) => scope.environment === "live")).toHaveLength(32);
    flushes[1]?.answer(committed(64));
    let underWay = true;
    const all = Promise.all(answers).finally(() => (underWay = false));
    for (let next = 2; underWay; await turn()) if (next < flushes.length) flushes[next++]?.answer();
    expect(await all).toHaveLength(290);
  });

  test("when storage is away, those that gathered meanwhile are told so at once, too", async () => {
    const { flushes, commit } = scripted();
    const committer = createCommitter({ commit }, clock);
    const first = committer.commit(row("a"));
    await turn();
    const answers = Promise.allSettled([first, committer.commit(row("b")), committer.commit(row("c", "live"))]);
    flushes[0]?.fail(new ProcedoError("storage_unavailable", "It is away."));
    expect((await answers).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(flushes).toHaveLength(1);
    const next = committer.commit(row("d"));
    await turn();
    flushes[1]?.answer();
    expect(await next).toEqual({ status: "committed" });
  });
});
