import { describe, expectTypeOf, it } from "vitest";
import * as z from "zod";
import { defineProcedure, type InputOf } from "./define-procedure.ts";
import type { JsonObject, ProcedureDocument } from "@procedo/contract";

const about = { procedureId: "p", name: "P" };

describe("a procedure defined in TypeScript", () => {
  it("knows the type of its input", () => {
    const typed = defineProcedure({
      ...about,
      input: z.object({ amount: z.int(), note: z.string().optional() }),
      nodes: { start: { kind: "start", next: "done" }, done: { kind: "end" } },
    });
    expectTypeOf(typed).toExtend<ProcedureDocument>();
    expectTypeOf<InputOf<typeof typed>>().toEqualTypeOf<{ amount: number; note?: string | undefined }>();
  });

  it("accepts any object if its input is a JSON Schema", () => {
    const anyObject = defineProcedure({ ...about, input: { type: "object" }, nodes: { start: { kind: "start" } } });
    expectTypeOf(anyObject).toExtend<ProcedureDocument>();
    expectTypeOf<InputOf<typeof anyObject>>().toEqualTypeOf<JsonObject>();
  });

  it("refuses edges to nodes that do not exist", () => {
    defineProcedure({
      ...about,
      input: {},
      nodes: {
        // @ts-expect-error there is no node "dnoe"
        start: { kind: "start", next: "dnoe" },
        // @ts-expect-error there is no node "dnoe"
        pay: { kind: "tool_call", connection: "c", action: "a", next: "done", onError: "dnoe" },
        // @ts-expect-error there is no node "payy"
        ask: { kind: "human_review", title: "Pay?", covers: "payy", next: "pay" },
        // @ts-expect-error there is no node "askk"
        again: { kind: "human_review", title: "Pay?", excludeApproversOf: ["askk"], next: "pay" },
        // @ts-expect-error there is no node "askk"
        send: { kind: "tool_call", connection: "c", action: "a", review: { excludeApproversOf: ["askk"] } },
        which: {
          kind: "condition",
          branches: [{ name: "a", when: "true" }],
          otherwise: "b",
          // @ts-expect-error there is no node "dnoe"
          next: { a: "pay", b: "dnoe" },
        },
        done: { kind: "end" },
      },
      // @ts-expect-error there is no node "dnoe"
      edges: [{ from: "pay", to: "dnoe" }],
    });
  });

  it("refuses settings that its kind of node does not have", () => {
    defineProcedure({
      ...about,
      input: {},
      nodes: {
        start: { kind: "start", next: "done" },
        // @ts-expect-error an end leads nowhere
        done: { kind: "end", next: "start" },
        // @ts-expect-error a tool call names its action
        pay: { kind: "tool_call", connection: "c" },
        // @ts-expect-error a person has no budget of tokens
        ask: { kind: "human_review", title: "Pay?", budget: { tokens: 1 } },
      },
    });
  });

  it("refuses unknown bounds", () => {
    const call = { kind: "tool_call", connection: "c", action: "a" } as const;
    defineProcedure({
      ...about,
      input: {},
      nodes: {
        start: { kind: "start", next: "pay" },
        // @ts-expect-error a sum counts by the run or by the day
        pay: { ...call, sumLimits: [{ name: "eur", sum: "1", atMost: 1, per: "week" }] },
        // @ts-expect-error an unsure answer goes to a person, or fails
        which: { kind: "condition", branches: [{ name: "a" }], confidence: { atLeast: 1, otherwise: "go" } },
      },
      // @ts-expect-error a day is one of some zone
      budgets: { day: { tokens: 1 } },
    });
  });
});
