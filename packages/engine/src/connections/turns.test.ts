import { expect, test } from "vitest";
import { createTurns, type Turns } from "./turns.ts";

const soon = (callback: () => void): void => void setImmediate(callback);
const rested = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

test("one works at a time, in the order in which they came", async () => {
  const turns = createTurns({ soon }).sandbox;
  const told: string[] = [];
  let working = 0;
  const work = async (name: string): Promise<void> => {
    const turn = await turns.take();
    working += 1;
    expect(working).toBe(1);
    await rested();
    told.push(name);
    working -= 1;
    turn.end();
  };
  await Promise.all(["a", "b", "c", "d"].map(work));
  expect(told).toEqual(["a", "b", "c", "d"]);
});

test("whoever waits for somebody else lets others work meanwhile", async () => {
  const turns = createTurns({ soon }).sandbox;
  const first = await turns.take();
  let answer = (_text: string): void => {};
  const lent = first.lend(() => new Promise<string>((resolve) => (answer = resolve)));
  const second = await turns.take();
  answer("fetched");
  let back = false;
  void lent.then(() => (back = true));
  await rested();
  expect(back).toBe(false);
  second.end();
  expect(await lent).toBe("fetched");
});

test("a wait that fails gives the turn back all the same", async () => {
  const turns = createTurns({ soon }).sandbox;
  const turn = await turns.take();
  await expect(turn.lend(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  turn.end();
  (await turns.take()).end();
});

test("whoever finds too many waiting is refused, and others wait on", async () => {
  const turns = createTurns({ soon }).sandbox;
  const first = await turns.take(1);
  const second = turns.take(1);
  await expect(turns.take(1)).rejects.toMatchObject({ code: "overloaded", retryAfterMs: 5_000 });
  first.end();
  (await second).end();
});

test("where both environments wait, they take turns", async () => {
  const { sandbox, live } = createTurns({ soon });
  const order: string[] = [];
  const take = async (name: string, turns: Turns): Promise<void> => {
    const turn = await turns.take();
    order.push(name);
    turn.end();
  };
  const names = ["s1", "s2", "s3", "s4"];
  const all = [...names.map((name) => take(name, sandbox)), take("l1", live), take("l2", live)];
  await Promise.all(all);
  expect(order).toEqual(["s1", "l1", "s2", "l2", "s3", "s4"]);
});

test("a caller is refused for those that wait in its own environment alone", async () => {
  const { sandbox, live } = createTurns({ soon });
  const turn = await sandbox.take();
  const inSandbox = sandbox.take(1);
  const inLive = live.take(1);
  await expect(sandbox.take(1)).rejects.toMatchObject({ code: "overloaded" });
  turn.end();
  (await inLive).end();
  (await inSandbox).end();
});
