import { describe, expect, test } from "vitest";
import type { CallBound } from "./call-bounds.ts";
import { reserveCall, type CallReservation } from "./reserve-call.ts";
import { scope, storedRun, type StoredRun } from "./stored-run.fixture.ts";

const date = { day: "2026-01-01", timeZone: "Europe/Berlin" };

function bound(limit: string, amount: number, more: Partial<CallBound> = {}): CallBound {
  const budget = `sum/p/pay/${limit}/day/${more.date?.day ?? date.day}`;
  return { budget, amount, atMost: 100, otherwise: "fail", limit, date, ...more };
}

function reserve({ storage }: StoredRun, key: string, bounds: readonly CallBound[], waived = false) {
  return reserveCall({ storage }, { scope, runId: "run_1", key, nodeId: "pay", bounds, waived });
}

function asks(reservation: CallReservation): unknown {
  return reservation.status === "ask" ? reservation.limits : reservation;
}

describe("reserving a call", () => {
  test("returns the same reservation when repeated, even on the next day", async () => {
    const run = await storedRun(1);
    const first = await reserve(run, "k", [bound("a", 60), bound("b", 7)]);
    const later = { date: { ...date, day: "2026-01-02" } };
    expect(await reserve(run, "k", [bound("a", 60, later), bound("b", 7, later)])).toEqual(first);
    expect(first).toEqual({
      status: "reserved",
      reserved: [
        { budget: "sum/p/pay/a/day/2026-01-01", amount: 60 },
        { budget: "sum/p/pay/b/day/2026-01-01", amount: 7 },
      ],
    });
  });

  test("is refused after its release, so that no call is made without its amounts in the sums", async () => {
    const run = await storedRun(1);
    await run.commit([{ key: "k", spent: "nothing" }]);
    const message = 'The reservation for the call of "pay" was released before. Nothing was sent.';
    expect(await reserve(run, "k", [bound("a", 60)])).toEqual({ status: "refused", error: { message } });
    await reserve(run, "l", [bound("a", 60)]);
    await run.commit([{ key: "l", spent: "nothing" }]);
    expect(await reserve(run, "l", [bound("a", 60)])).toMatchObject({ status: "refused" });
    expect(await run.storage.budgets.taken(scope, [bound("a", 1).budget])).toEqual([0]);
  });

  test("reports every limit if any has no room, and takes nothing", async () => {
    const run = await storedRun(1);
    const review = { otherwise: "review" } as const;
    await reserve(run, "k", [bound("a", 60), bound("b", 90)]);
    const tooMuch = [bound("a", 30, review), bound("b", 30, review), bound("c", 30, review)];
    expect(asks(await reserve(run, "l", tooMuch))).toMatchObject([
      { limit: "a", taken: 60, requested: 30, exceeded: false },
      { limit: "b", taken: 90, requested: 30, exceeded: true },
      { limit: "c", taken: 0, requested: 30, exceeded: false },
    ]);
    const budgets = tooMuch.map(({ budget }) => budget);
    expect(await run.storage.budgets.taken(scope, budgets)).toEqual([60, 90, 0]);
  });

  test("is refused if one of several exceeded limits cannot be waived, in any order of the limits", async () => {
    const run = await storedRun(1);
    await reserve(run, "k", [bound("a", 100), bound("b", 100)]);
    for (const otherwise of [["review", "fail"] as const, ["fail", "review"] as const]) {
      const bounds = [bound("a", 1, { otherwise: otherwise[0] }), bound("b", 1, { otherwise: otherwise[1] })];
      const hard = otherwise[0] === "fail" ? "a" : "b";
      expect(await reserve(run, "l", bounds)).toMatchObject({ status: "refused", error: { details: { limit: hard } } });
    }
  });

  test("with a waiver exceeds the limits that a review can waive, but no others", async () => {
    const run = await storedRun(1);
    const both = [bound("a", 90, { otherwise: "review" }), bound("b", 90)];
    await reserve(run, "k", both);
    expect(await reserve(run, "l", both, true)).toMatchObject({
      status: "refused",
      error: { details: { limit: "b" } },
    });
    expect(await reserve(run, "m", [bound("a", 90, { otherwise: "review" }), bound("b", 10)], true)).toMatchObject({
      status: "reserved",
    });
    expect(
      await run.storage.budgets.taken(
        scope,
        both.map(({ budget }) => budget),
      ),
    ).toEqual([180, 100]);
  });

  test("is refused if a waived sum would no longer be an exact number", async () => {
    const run = await storedRun(1);
    const most = bound("a", Number.MAX_SAFE_INTEGER, { otherwise: "review" });
    expect(await reserve(run, "k", [most], true)).toMatchObject({ status: "reserved" });
    const message = expect.stringContaining('The sums of "pay" cannot be kept.') as string;
    expect(await reserve(run, "l", [bound("a", 1, { otherwise: "review" })], true)).toEqual({
      status: "refused",
      error: { message },
    });
  });
});
