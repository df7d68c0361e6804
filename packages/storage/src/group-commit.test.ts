import { ProcedoError } from "@procedo/contract";
import { beforeEach, describe, expect, it } from "vitest";
import { groupCommit, type GroupCommit, type GroupCommitOptions } from "./group-commit.ts";

interface Answer {
  readonly of: string;
}

interface Flush {
  readonly items: readonly string[];
  answer(results?: readonly Answer[]): Promise<void>;
  fail(error: Error): Promise<void>;
}

const answerOf = (item: string): Answer => ({ of: item });

let nowMs: number;
let turns: (() => void)[];
let timers: { readonly atMs: number; readonly callback: () => void }[];
/** Flushes in the order of their start. */
let flushes: Flush[];

const clock = {
  monotonic: () => nowMs,
  soon: (callback: () => void) => void turns.push(callback),
  after: (delayMs: number, callback: () => void) => {
    const timer = { atMs: nowMs + delayMs, callback };
    timers.push(timer);
    return () => void (timers = timers.filter((each) => each !== timer));
  },
};

/** Runs everything that is ready to run, in as many turns as it takes. */
async function settle(): Promise<void> {
  for (let idle = 0; idle < 3; idle++) {
    for (let microtask = 0; microtask < 10; microtask++) await Promise.resolve();
    for (const callback of turns.splice(0)) {
      idle = 0;
      callback();
    }
  }
}

async function pass(ms: number): Promise<void> {
  nowMs += ms;
  const due = timers.filter(({ atMs }) => atMs <= nowMs);
  timers = timers.filter((timer) => !due.includes(timer));
  for (const { callback } of due) callback();
  await settle();
}

function open(options: Partial<GroupCommitOptions<string, Answer>> = {}): GroupCommit<string, Answer> {
  return groupCommit<string, Answer>({
    clock,
    flush: (items) =>
      new Promise((resolve, reject) => {
        flushes.push({
          items,
          answer: (results = items.map(answerOf)) => {
            resolve(results);
            return settle();
          },
          fail: (error) => {
            reject(error);
            return settle();
          },
        });
      }),
    ...options,
  });
}

const names = (prefix: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

const batches = (): readonly (readonly string[])[] => flushes.map(({ items }) => items);
const sizes = (): readonly number[] => flushes.map(({ items }) => items.length);
const outcomes = async (answers: readonly Promise<Answer>[]): Promise<readonly string[]> =>
  (await Promise.allSettled(answers)).map((answer) =>
    answer.status === "fulfilled" ? answer.value.of : (answer.reason as Error).message,
  );

beforeEach(() => {
  nowMs = 0;
  turns = [];
  timers = [];
  flushes = [];
});

describe("group commit", () => {
  it("flushes the items of one turn together and answers each caller for its own item", async () => {
    const group = open();
    const answers = ["a", "b", "c"].map((item) => group.add(item));
    await settle();
    expect(batches()).toEqual([["a", "b", "c"]]);
    await flushes[0]?.answer();
    expect(await outcomes(answers)).toEqual(["a", "b", "c"]);
  });

  it("keeps the items that arrive during a flush for the next one", async () => {
    const group = open();
    const answers = [group.add("a")];
    await settle();
    answers.push(group.add("b"), group.add("c"));
    await settle();
    expect(batches()).toEqual([["a"]]);
    await flushes[0]?.answer();
    expect(batches()).toEqual([["a"], ["b", "c"]]);
    await flushes[1]?.answer();
    expect(await outcomes(answers)).toEqual(["a", "b", "c"]);
  });

  it("has at most the allowed number of flushes in progress, and collects items in the meantime", async () => {
    const group = open({ concurrency: 2 });
    const answers: Promise<Answer>[] = [];
    for (const item of ["a", "b", "c", "d"]) {
      answers.push(group.add(item));
      await settle();
    }
    expect(batches()).toEqual([["a"], ["b"]]);
    await flushes[1]?.answer();
    expect(batches()).toEqual([["a"], ["b"], ["c", "d"]]);
    await flushes[0]?.answer();
    await flushes[2]?.answer();
    expect(await outcomes(answers)).toEqual(["a", "b", "c", "d"]);
  });

  it("fails only the items of a failed flush, and continues with the next", async () => {
    const group = open();
    const answers = [group.add("a")];
    await settle();
    answers.push(group.add("b"));
    await flushes[0]?.fail(new Error("The statement was refused."));
    await flushes[1]?.answer();
    expect(await outcomes(answers)).toEqual(["The statement was refused.", "b"]);
  });

  it("fails the waiting items at once when storage is unavailable, and accepts new ones", async () => {
    const group = open();
    const answers = [group.add("a")];
    await settle();
    answers.push(group.add("b"), group.add("c"));
    await flushes[0]?.fail(new ProcedoError("storage_unavailable", "Storage is away."));
    expect(await outcomes(answers)).toEqual(["Storage is away.", "Storage is away.", "Storage is away."]);
    expect(batches()).toEqual([["a"]]);
    const next = group.add("d");
    await settle();
    await flushes[1]?.answer();
    expect(await next).toEqual(answerOf("d"));
  });

  it("rejects the callers whose results are missing when a flush returns too few", async () => {
    const group = open();
    const answers = Promise.allSettled([group.add("a"), group.add("b")]);
    await settle();
    await flushes[0]?.answer([answerOf("a")]);
    expect((await answers).map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  });

  it("puts at most 128 items into a flush, in order of arrival, and loses none", async () => {
    const group = open();
    const items = names("", 300);
    const answers = items.map((item) => group.add(item));
    await settle();
    for (let next = 0; next < 3; next++) await flushes[next]?.answer();
    expect(sizes()).toEqual([128, 128, 44]);
    expect(batches().flat()).toEqual(items);
    expect(await outcomes(answers)).toEqual(items);
  });

  it("puts at most 8 Mi characters into a flush, or one larger item", async () => {
    const group = open({ sizeOf: (item) => (item.startsWith("large") ? 9 : 4) * 1024 * 1024 });
    const answers = ["a", "b", "c", "large-1", "large-2"].map((item) => group.add(item));
    await settle();
    for (let next = 0; next < 4; next++) await flushes[next]?.answer();
    expect(batches()).toEqual([["a", "b"], ["c"], ["large-1"], ["large-2"]]);
    await Promise.all(answers);
  });

  it("does not mix kinds in one flush", async () => {
    const group = open({ concurrency: 2, kindOf: (item) => item.slice(1) });
    for (const item of ["a1", "b2", "c1", "d2"]) void group.add(item);
    await settle();
    expect(batches()).toEqual([
      ["a1", "c1"],
      ["b2", "d2"],
    ]);
  });
});

describe("group commit of items that share a key", () => {
  const keysOf = (item: string): readonly string[] => item.replace(/\d/g, "").split("");

  it("never has two of them in progress, and keeps their order", async () => {
    const group = open({ concurrency: 3, keysOf });
    for (const item of ["a1", "a2", "b1", "a3", "b2"]) void group.add(item);
    await settle();
    expect(batches()).toEqual([["a1", "b1"]]);
    for (let next = 0; next < 3; next++) await flushes[next]?.answer();
    expect(batches()).toEqual([["a1", "b1"], ["a2", "b2"], ["a3"]]);
  });

  it("lets no item overtake another that waits for one of its keys", async () => {
    const group = open({ concurrency: 3, keysOf });
    for (const item of ["a", "ab", "b"]) void group.add(item);
    await settle();
    expect(batches()).toEqual([["a"]]);
    for (let next = 0; next < 3; next++) await flushes[next]?.answer();
    expect(batches()).toEqual([["a"], ["ab"], ["b"]]);
  });
});

describe("group commit with groups", () => {
  const fairBy = (item: string): string | undefined => (item.startsWith("free") ? undefined : item[0]);
  const ofLive = (): readonly number[] => batches().map((items) => items.filter((item) => item.startsWith("l")).length);
  const flushIn = async (ms: number): Promise<void> => {
    nowMs += ms;
    await flushes.at(-1)?.answer();
  };

  it("takes as many items of each group as are processed while a flush lasts", async () => {
    const group = open({ fairBy });
    for (const item of [...names("s", 300), ...names("l", 100)]) void group.add(item);
    await settle();
    for (const ms of [2, 2, 1, 1]) await flushIn(ms);
    expect(sizes()).toEqual([128, 64, 36, 16, 16]);
    expect(ofLive()).toEqual([64, 32, 4, 0, 0]);
  });

  it("gives a whole flush to one group when the other has had no work for a second", async () => {
    const group = open({ fairBy });
    for (const item of [...names("s", 400), "l"]) void group.add(item);
    await settle();
    await flushIn(1);
    expect(sizes()).toEqual([65, 16]);
    nowMs += 1_000;
    await flushIn(1);
    expect(sizes()).toEqual([65, 16, 128]);
  });

  it("takes at least eight items of each group, however fast a flush is", async () => {
    const group = open({ fairBy });
    for (const item of [...names("s", 100), ...names("l", 100)]) void group.add(item);
    await settle();
    await flushIn(0.1);
    expect(sizes()).toEqual([128, 16]);
  });

  it("does not let one slow flush enlarge the next ones", async () => {
    const group = open({ fairBy });
    for (const item of [...names("s", 300), ...names("l", 300)]) void group.add(item);
    await settle();
    for (const ms of [1, 100]) await flushIn(ms);
    expect(sizes()).toEqual([128, 32, 34]);
  });

  it("counts an item without a group for no share", async () => {
    const group = open({ fairBy });
    for (const item of [...names("s", 200), ...names("free", 40)]) void group.add(item);
    await settle();
    expect(sizes()).toEqual([128]);
    void group.add("l");
    await flushIn(1);
    expect(batches()[1]?.filter((item) => item.startsWith("free"))).toHaveLength(40);
    expect(sizes()).toEqual([128, 16 + 40 + 1]);
  });
});

describe("group commit with a time limit", () => {
  const timeLimit = { ms: 100, exceeded: () => new Error("It took too long.") };

  it("ends each item in time, and does not send later an item that was not sent by then", async () => {
    const group = open({ timeLimit, keysOf: (item) => [item] });
    const first = group.add("a");
    await settle();
    await pass(1);
    const second = group.add("b");
    await pass(99);
    expect(await outcomes([first])).toEqual(["It took too long."]);
    await pass(1);
    expect(await outcomes([second])).toEqual(["It took too long."]);
    // The first item may have been executed; its repetition waits until the flush has ended.
    const again = group.add("a");
    await settle();
    expect(batches()).toEqual([["a"]]);
    await flushes[0]?.answer();
    await flushes[1]?.answer();
    expect(batches()).toEqual([["a"], ["a"]]);
    expect(await again).toEqual(answerOf("a"));
    expect(timers).toEqual([]);
  });
});

describe("closing a group commit", () => {
  it("answers accepted items and refuses later ones", async () => {
    const group = open();
    const answers = [...names("", 130)].map((item) => group.add(item));
    let isClosed = false;
    const closing = group.close().then(() => (isClosed = true));
    await expect(group.add("late")).rejects.toMatchObject({ code: "storage_unavailable" });
    await settle();
    await flushes[0]?.answer();
    expect(isClosed).toBe(false);
    await flushes[1]?.answer();
    await closing;
    expect(await outcomes(answers)).toHaveLength(130);
    await group.close();
  });

  it("ends at once when nothing is in progress", async () => {
    await expect(open().close()).resolves.toBeUndefined();
  });
});
