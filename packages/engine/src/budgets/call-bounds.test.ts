import type { SumLimit } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { boundedProcedure, callNode, scopeWith } from "./bounded.fixture.ts";
import { boundsOf, isBounded, type CallBounds } from "./call-bounds.ts";

const perRun: SumLimit = { name: "total", sum: "args.amount", atMost: 100, per: "run" };
const perDay: SumLimit = {
  name: "eur-a-day",
  sum: "args.amount",
  when: "args.currency == 'EUR'",
  atMost: 5_000,
  per: "day",
  timeZone: "Europe/Berlin",
  otherwise: "review",
};
const shortlyBeforeMidnight = Date.parse("2026-01-01T22:59:59.999Z");

function boundsWith(limits: readonly SumLimit[], args: object, atMs = shortlyBeforeMidnight): CallBounds {
  const procedure = boundedProcedure(limits);
  return boundsOf(procedure, callNode(procedure), scopeWith(args as never), atMs);
}

describe("a call's bounds", () => {
  test("name the sum, its run or its day in the limit's time zone, and the amount of the call", () => {
    expect(boundsWith([perRun, perDay], { amount: 7, currency: "EUR" })).toEqual({
      ok: true,
      bounds: [
        {
          budget: "sum/vendor-payment/pay/total/run/run_1",
          amount: 7,
          atMost: 100,
          otherwise: "fail",
          limit: "total",
          date: undefined,
        },
        {
          budget: "sum/vendor-payment/pay/eur-a-day/day/2026-01-01",
          amount: 7,
          atMost: 5_000,
          otherwise: "review",
          limit: "eur-a-day",
          date: { day: "2026-01-01", timeZone: "Europe/Berlin" },
        },
      ],
    });
  });

  test("belong to the next day a millisecond later", () => {
    expect(boundsWith([perDay], { amount: 7, currency: "EUR" }, shortlyBeforeMidnight + 1)).toMatchObject({
      bounds: [{ budget: "sum/vendor-payment/pay/eur-a-day/day/2026-01-02" }],
    });
  });

  test("leave out a limit whose condition does not hold, and one to which the call adds nothing", () => {
    expect(boundsWith([perDay], { amount: 7, currency: "USD" })).toEqual({ ok: true, bounds: [] });
    expect(boundsWith([perRun], { amount: 0 })).toEqual({ ok: true, bounds: [] });
  });

  test("also count the result of an expression over the arguments", () => {
    const lines = [{ amount: 20 }, { amount: 3 }];
    expect(boundsWith([{ ...perRun, sum: "size(args.lines)" }], { lines })).toMatchObject({ bounds: [{ amount: 2 }] });
    const both = { ...perRun, sum: "args.lines[0].amount + args.lines[1].amount" };
    expect(boundsWith([both], { lines })).toMatchObject({ bounds: [{ amount: 23 }] });
  });

  test.each([
    ["a negative number", -1, "-1"],
    ["a fraction", 0.5, "0.5"],
    ["a number above 2^53 - 1", Number.MAX_SAFE_INTEGER + 1, "9007199254740992"],
  ])("prevent the call for a sum of %s, with a message that names the limit", (_name, amount, shown) => {
    const range = "a whole number from 0 to 9007199254740991";
    const message = `Sum limit "total" of "pay": args.amount must give ${range}, but gives ${shown}.`;
    expect(boundsWith([perRun], { amount })).toEqual({ ok: false, message });
  });

  test.each(["7", [7], null, true, {}])("prevent the call for a sum of %j, which is no number", (amount) => {
    const message = expect.stringContaining('Sum limit "total" of "pay": args.amount') as string;
    expect(boundsWith([perRun], { amount })).toEqual({ ok: false, message });
  });

  test("accept the largest safe integer", () => {
    expect(boundsWith([perRun], { amount: Number.MAX_SAFE_INTEGER })).toMatchObject({
      bounds: [{ amount: Number.MAX_SAFE_INTEGER }],
    });
  });

  test("prevent the call when an argument that they need is missing", () => {
    const missing = boundsWith([perRun], {});
    expect(missing).toMatchObject({
      ok: false,
      message: expect.stringContaining('Sum limit "total" of "pay"') as string,
    });
    const condition = boundsWith([perDay], { amount: 1 });
    expect(condition).toMatchObject({ ok: false, message: expect.stringContaining("currency") as string });
  });

  test.each([null, 1, "yes"])("prevent the call for a condition that gives %j, so that no limit is skipped", (flag) => {
    const message = expect.stringContaining('Sum limit "eur-a-day" of "pay": args.flag') as string;
    expect(boundsWith([{ ...perDay, when: "args.flag" }], { amount: 1, flag })).toEqual({ ok: false, message });
  });

  test("include one of the procedure's tool calls per day, for any node", () => {
    const procedure = boundedProcedure([], { budgets: { day: { toolCalls: 3, timeZone: "Pacific/Kiritimati" } } });
    const toolCalls = {
      budget: "use/vendor-payment/toolCalls/2026-01-02",
      amount: 1,
      atMost: 3,
      otherwise: "fail",
      limit: undefined,
      date: { day: "2026-01-02", timeZone: "Pacific/Kiritimati" },
    };
    for (const id of ["pay", "tell"]) {
      const node = callNode(procedure, id);
      expect(isBounded(procedure, node)).toBe(true);
      const bounds = boundsOf(procedure, node, scopeWith({}), shortlyBeforeMidnight);
      expect(bounds).toEqual({ ok: true, bounds: [toolCalls] });
    }
  });
});
