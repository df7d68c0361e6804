import { expect, test } from "vitest";
import { createMutexes, type Mutex } from "./mutex.ts";

const soon = (callback: () => void): void => void setImmediate(callback);
const eventLoopTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

test("one holder works at a time, in order of arrival", async () => {
  const mutex = createMutexes({ soon }).sandbox;
  const finished: string[] = [];
  let working = 0;
  const work = async (name: string): Promise<void> => {
    const lock = await mutex.acquire();
    working += 1;
    expect(working).toBe(1);
    await eventLoopTurn();
    finished.push(name);
    working -= 1;
    lock.release();
  };
  await Promise.all(["a", "b", "c", "d"].map(work));
  expect(finished).toEqual(["a", "b", "c", "d"]);
});

test("a holder that releases the lock during a wait gets it back only when it is free", async () => {
  const mutex = createMutexes({ soon }).sandbox;
  const first = await mutex.acquire();
  first.release();
  const second = await mutex.acquire();
  let isBack = false;
  const reacquired = first.reacquire().then(() => (isBack = true));
  await eventLoopTurn();
  expect(isBack).toBe(false);
  second.release();
  await reacquired;
  expect(isBack).toBe(true);
});

test("a caller that finds too many waiting is refused, and the others keep waiting", async () => {
  const mutex = createMutexes({ soon }).sandbox;
  const first = await mutex.acquire(1);
  const second = mutex.acquire(1);
  await expect(mutex.acquire(1)).rejects.toMatchObject({ code: "overloaded", retryAfterMs: 5_000 });
  first.release();
  (await second).release();
});

test("the lock alternates between environments that both wait", async () => {
  const { sandbox, live } = createMutexes({ soon });
  const order: string[] = [];
  const take = async (name: string, mutex: Mutex): Promise<void> => {
    const lock = await mutex.acquire();
    order.push(name);
    lock.release();
  };
  const names = ["s1", "s2", "s3", "s4"];
  const all = [...names.map((name) => take(name, sandbox)), take("l1", live), take("l2", live)];
  await Promise.all(all);
  expect(order).toEqual(["s1", "l1", "s2", "l2", "s3", "s4"]);
});

test("the limit counts only the callers that wait in the same environment", async () => {
  const { sandbox, live } = createMutexes({ soon });
  const lock = await sandbox.acquire();
  const inSandbox = sandbox.acquire(1);
  const inLive = live.acquire(1);
  await expect(sandbox.acquire(1)).rejects.toMatchObject({ code: "overloaded" });
  lock.release();
  (await inLive).release();
  (await inSandbox).release();
});
