import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { timedOut } from "./postgres-error.ts";
import { createFlushes } from "./flushes.ts";

/** A flush that ends when it is told to. */
function held() {
  const batches: (readonly string[])[] = [];
  const ends: (() => void)[] = [];
  const flush = (items: readonly string[]): Promise<readonly string[]> => {
    batches.push(items);
    return new Promise((resolve) => {
      ends.push(() => resolve(items.map((item) => `${item}!`)));
    });
  };
  return {
    batches,
    flush,
    async end(): Promise<void> {
      ends.shift()?.();
      for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    },
  };
}

const timeoutMs = 4_000;
const timeLimit = { ms: timeoutMs, exceeded: () => timedOut(timeoutMs) };
const named = { namesOf: (item: string) => [item.slice(0, 1)], sizeOf: () => 1, timeLimit };

// Some flushes here never end: their time must not run out in the middle of another file's tests.
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("flushes", () => {
  it("take along what is asked for in the same turn, and answer each item in its place", async () => {
    const { batches, flush, end } = held();
    const flushes = createFlushes({ ...named, flush, atOnce: 1 });
    const answers = Promise.all([flushes.add(["a", "b"]), flushes.add(["c"]), flushes.add([])]);
    await Promise.resolve();
    await end();
    expect(await answers).toEqual([["a!", "b!"], ["c!"], []]);
    expect(batches).toEqual([["a", "b", "c"]]);
  });

  it("gather what comes while as many as allowed are under way", async () => {
    const { batches, flush, end } = held();
    const flushes = createFlushes({ ...named, flush, atOnce: 2 });
    for (const item of ["a", "b", "c", "d"]) {
      void flushes.add([item]);
      await Promise.resolve();
    }
    expect(batches).toEqual([["a"], ["b"]]);
    await end();
    expect(batches).toEqual([["a"], ["b"], ["c", "d"]]);
  });

  it("never have two items of one name under way, and keep their order", async () => {
    const { batches, flush, end } = held();
    const flushes = createFlushes({ ...named, flush, atOnce: 3 });
    void flushes.add(["a1", "a2", "b1"]);
    void flushes.add(["a3", "b2"]);
    await Promise.resolve();
    expect(batches).toEqual([["a1", "b1"]]);
    await end();
    await end();
    await end();
    expect(batches).toEqual([["a1", "b1"], ["a2", "b2"], ["a3"]]);
  });

  it("let nothing overtake an item that waits for one of its names", async () => {
    const { batches, flush, end } = held();
    const namesOf = (item: string): readonly string[] => item.split("");
    const flushes = createFlushes({ ...named, namesOf, flush, atOnce: 3 });
    void flushes.add(["a", "ab", "b"]);
    await Promise.resolve();
    expect(batches).toEqual([["a"]]);
    await end();
    expect(batches).toEqual([["a"], ["ab"]]);
    await end();
    expect(batches).toEqual([["a"], ["ab"], ["b"]]);
  });

  it("keep kinds apart", async () => {
    const { batches, flush } = held();
    const flushes = createFlushes({ ...named, flush, kindOf: (item) => item.slice(1), atOnce: 2 });
    void flushes.add(["a1", "b2", "c1", "d2"]);
    await Promise.resolve();
    expect(batches).toEqual([
      ["a1", "c1"],
      ["b2", "d2"],
    ]);
  });

  it("are bounded in number and size of items, of which one alone may be larger", async () => {
    const { batches, flush, end } = held();
    const sizeOf = (item: string): number => (item.startsWith("large") ? 9 * 1024 * 1024 : 1);
    const flushes = createFlushes({ namesOf: (item) => [item], sizeOf, flush, atOnce: 1, timeLimit });
    const many = Array.from({ length: 600 }, (_, index) => `small-${index}`);
    void flushes.add([...many, "large-1", "large-2"]);
    await Promise.resolve();
    for (let turn = 0; turn < 4; turn++) await end();
    expect(batches.map((batch) => batch.length)).toEqual([512, 88, 1, 1]);
  });

  it("that fail say so to their items and to no others", async () => {
    const broken = new Error("broken");
    let turn = 0;
    const flush = (items: readonly string[]): Promise<readonly string[]> =>
      turn++ === 0 ? Promise.reject(broken) : Promise.resolve(items);
    const flushes = createFlushes({ ...named, flush, atOnce: 1 });
    const results = await Promise.allSettled([flushes.add(["a1"]), flushes.add(["a2"])]);
    expect(results).toEqual([
      { status: "rejected", reason: broken },
      { status: "fulfilled", value: ["a2"] },
    ]);
  });

  it("end within their time, whatever they wait for; what was not sent by then is not sent later", async () => {
    const { batches, flush, end } = held();
    const flushes = createFlushes({ ...named, flush, atOnce: 1 });
    const codes: unknown[] = [];
    const codeOf = (error: unknown): number => codes.push((error as { readonly code: unknown }).code);
    flushes.add(["a1"]).catch(codeOf);
    await vi.advanceTimersByTimeAsync(1);
    flushes.add(["a2", "b1"]).catch(codeOf);
    await vi.advanceTimersByTimeAsync(timeoutMs - 1);
    expect(codes).toEqual(["storage_unavailable"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(codes).toEqual(["storage_unavailable", "storage_unavailable"]);
    // What is under way may have happened; the same again has to wait for its end.
    const again = flushes.add(["a1"]);
    await Promise.resolve();
    expect(batches).toEqual([["a1"]]);
    await end();
    await end();
    expect(await again).toEqual(["a1!"]);
    expect(batches).toEqual([["a1"], ["a1"]]);
  });
});
