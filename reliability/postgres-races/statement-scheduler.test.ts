import { expect, test } from "vitest";
import { seededRandom } from "@procedo-testing/faults";
import { createStatementScheduler } from "./statement-scheduler.ts";

const connection = (pid: number) => ({ name: `node ${pid}`, pid });

/** A server with one lock: a connection that requests it while another one holds it waits. */
function lockingServer() {
  const waiting = new Map<number, () => void>();
  let holder: number | undefined;
  return {
    blockedAmong: async (pids: readonly number[]) => new Set(pids.filter((pid) => waiting.has(pid))),
    lock: (pid: number) =>
      new Promise<string>((resolve) => {
        const take = (): void => {
          holder = pid;
          waiting.delete(pid);
          resolve("locked");
        };
        if (holder === undefined) take();
        else waiting.set(pid, take);
      }),
    unlock: async () => {
      holder = undefined;
      for (const take of waiting.values()) {
        take();
        break;
      }
      return "unlocked";
    },
  };
}

async function raceForLock(seed: number): Promise<{ trace: readonly string[]; inside: readonly string[] }> {
  const server = lockingServer();
  const scheduler = createStatementScheduler(seededRandom(seed), server.blockedAmong);
  const inside: string[] = [];
  const actor = async (pid: number): Promise<void> => {
    await scheduler.submit(connection(pid), "lock", () => server.lock(pid));
    inside.push(`${pid} in`);
    await scheduler.submit(connection(pid), "work", async () => "worked");
    inside.push(`${pid} out`);
    await scheduler.submit(connection(pid), "unlock", () => server.unlock());
  };
  await scheduler.drive(Promise.all([1, 2, 3].map(actor)));
  return { trace: scheduler.trace, inside };
}

test("one seed gives one order, and seeds give different ones", async () => {
  const orders = new Set<string>();
  for (let seed = 0; seed < 10; seed++) {
    const { trace } = await raceForLock(seed);
    expect((await raceForLock(seed)).trace).toEqual(trace);
    orders.add(trace.join());
  }
  expect(orders.size).toBeGreaterThan(3);
});

test("a statement that waits for a lock stays pending while others are sent", async () => {
  let waited = 0;
  for (let seed = 0; seed < 10; seed++) {
    const { trace, inside } = await raceForLock(seed);
    expect(trace).toHaveLength(9);
    waited += trace.filter((line) => line.startsWith("… ")).length;
    for (let at = 0; at < inside.length; at += 2) expect(inside[at + 1]).toBe(inside[at]?.replace("in", "out"));
  }
  expect(waited).toBeGreaterThan(10);
});

test("statements of one connection keep their order", async () => {
  const scheduler = createStatementScheduler(seededRandom(3), async () => new Set());
  const sent: number[] = [];
  const send = (number: number) => scheduler.submit(connection(1), `${number}`, async () => void sent.push(number));
  await scheduler.drive(Promise.all([1, 2, 3, 4].map(send)));
  expect(sent).toEqual([1, 2, 3, 4]);
});

test("the error of a statement reaches its caller, and the others continue", async () => {
  const scheduler = createStatementScheduler(seededRandom(3), async () => new Set());
  const refused = scheduler.submit(connection(1), "bad", () => Promise.reject(new Error("Refused.")));
  const fine = scheduler.submit(connection(2), "good", async () => "fine");
  await scheduler.drive(Promise.allSettled([refused, fine]));
  await expect(refused).rejects.toThrow("Refused.");
  expect(await fine).toBe("fine");
});
