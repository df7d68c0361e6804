import type { ProcedureBudgets } from "@procedo/contract";
import type { CompiledProcedure } from "@procedo/procedure";
import type { Storage } from "@procedo/storage";
import { describe, expect, test } from "vitest";
import { boundedProcedure } from "./bounded.fixture.ts";
import { scope, storedRun } from "./stored-run.fixture.ts";
import { reserveTurn, settleTurn, type ReservedTurn, type TurnToReserve } from "./turn-budgets.ts";

const atMs = Date.parse("2026-01-01T22:59:59.999Z");
const turn: TurnToReserve = {
  scope,
  runId: "run_1",
  nodeId: "pay",
  visit: 1,
  turn: 1,
  attempt: 1,
  recoveries: 0,
  promptCharacters: 301,
  maxOutputTokens: 100,
  atMs,
};

function procedureWith(day: Omit<NonNullable<ProcedureBudgets["day"]>, "timeZone">): CompiledProcedure {
  return boundedProcedure([], { budgets: { day: { ...day, timeZone: "Europe/Berlin" } } });
}

const names = (day: string) => ["modelCalls", "tokens"].map((of) => `use/vendor-payment/${of}/${day}`);

async function reserved(storage: Storage, procedure: CompiledProcedure, more: object = {}): Promise<ReservedTurn> {
  const reservation = await reserveTurn({ storage }, procedure, { ...turn, ...more });
  if (reservation?.ok !== true) throw new Error(`The turn is not reserved: ${JSON.stringify(reservation)}`);
  return reservation;
}

describe("a turn of an agent", () => {
  test("reserves nothing and makes no storage request if the procedure has no daily budget", async () => {
    const never = {} as Pick<Storage, "budgets">;
    expect(await reserveTurn({ storage: never }, boundedProcedure([]), turn)).toBeUndefined();
    expect(await reserveTurn({ storage: never }, procedureWith({ toolCalls: 3 }), turn)).toBeUndefined();
  });

  test("reserves one call and its estimated tokens, for the day in the procedure's time zone", async () => {
    const { storage } = await storedRun(atMs);
    await reserved(storage, procedureWith({ modelCalls: 10, tokens: 1_000 }));
    // A third of its characters, rounded up, and the longest answer.
    expect(await storage.budgets.taken(scope, names("2026-01-01"))).toEqual([1, 201]);
    await reserved(storage, procedureWith({ modelCalls: 10, tokens: 1_000 }), { turn: 2, atMs: atMs + 1 });
    expect(await storage.budgets.taken(scope, names("2026-01-02"))).toEqual([1, 201]);
  });

  test("reserves nothing more when repeated, by any owner on any day", async () => {
    const { storage } = await storedRun(atMs);
    const procedure = procedureWith({ modelCalls: 1, tokens: 201 });
    const first = await reserved(storage, procedure);
    expect(await reserved(storage, procedure, { atMs: atMs + 1, promptCharacters: 9_999 })).toEqual(first);
    expect(await storage.budgets.taken(scope, names("2026-01-01"))).toEqual([1, 201]);
    expect(await storage.budgets.taken(scope, names("2026-01-02"))).toEqual([0, 0]);
  });

  test("reserves as much again after its worker is lost, because both requests are billed", async () => {
    const { storage } = await storedRun(atMs);
    const procedure = procedureWith({ modelCalls: 2, tokens: 1_000 });
    await reserved(storage, procedure);
    await reserved(storage, procedure, { recoveries: 1 });
    expect(await storage.budgets.taken(scope, names("2026-01-01"))).toEqual([2, 402]);
    expect(await reserveTurn({ storage }, procedure, { ...turn, recoveries: 2 })).toMatchObject({ ok: false });
  });

  test("is refused if a budget has no room, with the budget, the day and the time zone", async () => {
    const { storage } = await storedRun(atMs);
    const calls = procedureWith({ modelCalls: 1 });
    await reserved(storage, calls);
    expect(await reserveTurn({ storage }, calls, { ...turn, attempt: 2 })).toEqual({
      ok: false,
      error: {
        message:
          "The procedure's budget of 1 model calls on 2026-01-01 (Europe/Berlin) has no room for another turn of the agent: " +
          "1 are taken, and the turn may use 1.",
        details: {
          budget: "modelCalls",
          atMost: 1,
          taken: 1,
          requested: 1,
          per: "day",
          day: "2026-01-01",
          timeZone: "Europe/Berlin",
        },
      },
    });
    const tokens = await reserveTurn({ storage }, procedureWith({ modelCalls: 9, tokens: 200 }), { ...turn, turn: 2 });
    expect(tokens).toMatchObject({ ok: false, error: { details: { budget: "tokens", atMost: 200, requested: 201 } } });
    // All or none: the budget of calls loses nothing if the budget of tokens has no room.
    expect(await storage.budgets.taken(scope, names("2026-01-01"))).toEqual([1, 0]);
  });
});

describe("a turn that was answered", () => {
  test("counts the tokens that the model used, more or less than reserved, on the day of the reservation", async () => {
    const { storage, commit } = await storedRun(atMs);
    const procedure = procedureWith({ modelCalls: 10, tokens: 1_000 });
    for (const [number, outputTokens, sum] of [
      [1, 20, 70],
      [2, 900, 1_020],
    ] as const) {
      const reservation = await reserved(storage, procedure, { turn: number });
      const settlement = settleTurn(reservation, { inputTokens: 50, outputTokens });
      await commit(settlement === undefined ? [] : [settlement]);
      expect(await storage.budgets.taken(scope, names("2026-01-01"))).toEqual([number, sum]);
    }
  });

  test("keeps its reserved tokens if the usage is unknown, and its one call in any case", async () => {
    const { storage, commit } = await storedRun(atMs);
    const procedure = procedureWith({ modelCalls: 10, tokens: 1_000 });
    expect(settleTurn(await reserved(storage, procedure), undefined)).toBeUndefined();
    const refused = settleTurn(await reserved(storage, procedure, { attempt: 2 }), { inputTokens: 0, outputTokens: 0 });
    await commit(refused === undefined ? [] : [refused]);
    expect(await storage.budgets.taken(scope, names("2026-01-01"))).toEqual([2, 201]);
  });

  test("counts nothing, not even its call, if the model certainly was not asked", async () => {
    const { storage, commit } = await storedRun(atMs);
    for (const day of [{ modelCalls: 10, tokens: 1_000 }, { modelCalls: 10 }]) {
      const settlement = settleTurn(
        await reserved(storage, procedureWith(day), { turn: Object.keys(day).length }),
        "nothing",
      );
      await commit(settlement === undefined ? [] : [settlement]);
    }
    expect(await storage.budgets.taken(scope, names("2026-01-01"))).toEqual([0, 0]);
  });

  test("has nothing to settle if only calls are bounded", async () => {
    const { storage } = await storedRun(atMs);
    const reservation = await reserved(storage, procedureWith({ modelCalls: 10 }));
    expect(settleTurn(reservation, { inputTokens: 50, outputTokens: 20 })).toBeUndefined();
  });

  test("with an absurd usage counts as very many tokens, and its row is stored", async () => {
    const { storage, commit } = await storedRun(atMs);
    const reservation = await reserved(storage, procedureWith({ tokens: 1_000 }));
    const settlement = settleTurn(reservation, { inputTokens: 1e300, outputTokens: NaN });
    await commit(settlement === undefined ? [] : [settlement]);
    expect(await storage.budgets.taken(scope, names("2026-01-01"))).toEqual([0, 1_000_000_000]);
  });
});
