import type { Change } from "@procedo/storage";
import { createChangeFeed } from "@procedo/storage";
import { beforeEach, describe, expect, it } from "vitest";
import type { TransactionResult, Transactor, WriteTurn } from "./transaction.ts";
import type { Writer } from "./writer.ts";
import { createWriter } from "./writer.ts";

describe("the writer", () => {
  /** The number of writes in each transaction. */
  let transactions: number[];
  /** Failures of the next transactions. */
  let failures: ("busy" | "unavailable")[];
  let changes: Change[];
  let writer: Writer;

  const turn: WriteTurn = { announce: () => {}, part: (work) => ({ done: true, value: work() }) };

  const transactor: Transactor = {
    run<T>(works: readonly ((turn: WriteTurn) => T)[]): TransactionResult<T> {
      transactions.push(works.length);
      const failure = failures.shift();
      if (failure !== undefined) return { committed: false, failure, error: errorOf(failure) };
      const results = works.map((work) => ({ done: true as const, value: work(turn) }));
      return { committed: true, results, changes: [{ type: "deliverable" }] };
    },
  };

  beforeEach(() => {
    [transactions, failures, changes] = [[], [], []];
    const feed = createChangeFeed();
    feed.watch((change) => changes.push(change));
    writer = createWriter({ transactor, feed, lockWaitMs: 10_000 });
  });

  it("combines all writes of one event-loop turn in one transaction", async () => {
    const later = Promise.resolve().then(() => writer.write(() => "later"));
    const results = await Promise.all([...Array.from({ length: 50 }, (_, index) => writer.write(() => index)), later]);
    expect(results.slice(0, 3)).toEqual([0, 1, 2]);
    expect(transactions).toEqual([51]);
    expect(changes).toEqual([{ type: "deliverable" }]);
  });

  it("runs one transaction for each write that waits for the previous one", async () => {
    for (let index = 0; index < 3; index++) await writer.write(() => index);
    expect(transactions).toEqual([1, 1, 1]);
  });

  it("puts at most 128 writes into one transaction, and fewer of each environment while both have writes", async () => {
    const many = Array.from({ length: 200 }, (_, index) => index);
    await Promise.all(many.map((index) => writer.write(() => index, "sandbox")));
    expect(transactions.slice(0, 2)).toEqual([128, 72]);
    transactions.length = 0;
    const order: string[] = [];
    const flood = many.map(() => writer.write(() => "sandbox", "sandbox").then((name) => order.push(name)));
    await Promise.all([...flood, writer.write(() => "live", "live").then((name) => order.push(name))]);
    expect(order.indexOf("live")).toBeLessThanOrEqual(64);
  });

  it("repeats the transaction while another process holds the lock, and collects later writes", async () => {
    failures = ["busy", "busy"];
    const first = writer.write(() => "first");
    await new Promise(setImmediate);
    const others = [writer.write(() => "second"), writer.write(() => "third")];
    expect(await Promise.all([first, ...others])).toEqual(["first", "second", "third"]);
    expect(transactions).toEqual([1, 1, 1, 2]);
  });

  it("counts the wait for a lock from the first attempt, not from the call", async () => {
    failures = ["busy"];
    const patient = createWriter({ transactor, feed: createChangeFeed(), lockWaitMs: 20 });
    const written = patient.write(() => "written");
    const until = performance.now() + 50;
    while (performance.now() < until);
    expect(await written).toBe("written");
  });

  it("fails the writes of a transaction when the disk fails, and no later writes", async () => {
    failures = ["unavailable"];
    const results = await Promise.allSettled([writer.write(() => 1), writer.write(() => 2)]);
    expect(results).toMatchObject([
      { status: "rejected", reason: { code: "storage_unavailable", retryable: true } },
      { status: "rejected", reason: { code: "storage_unavailable", retryable: true } },
    ]);
    expect(changes).toEqual([]);
    expect(await writer.write(() => 3)).toBe(3);
  });

  it("finishes pending writes on close, and rejects later ones", async () => {
    failures = ["busy"];
    const pending = writer.write(() => "done");
    const closing = writer.close();
    await expect(writer.write(() => "late")).rejects.toMatchObject({ code: "storage_unavailable" });
    await closing;
    expect(transactions).toEqual([1, 1]);
    expect(await pending).toBe("done");
    await writer.close();
  });
});

function errorOf(failure: "busy" | "unavailable"): Error {
  return Object.assign(new Error("database is locked"), { errcode: failure === "busy" ? 5 : 13 });
}
