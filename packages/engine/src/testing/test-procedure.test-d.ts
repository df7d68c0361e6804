import { defineProcedure, z } from "@procedo/engine";
import { fakeAction, once, reads, testProcedure, type TestRun } from "@procedo/engine/testing";
import { expectTypeOf, test } from "vitest";

const document = defineProcedure({
  procedureId: "p",
  name: "P",
  input: z.object({ amount: z.int() }),
  nodes: { start: { kind: "start", next: "done" }, done: { kind: "end" } },
});

test("the input has the type of the document's", () => {
  expectTypeOf(testProcedure({ document, input: { amount: 5 } })).resolves.toEqualTypeOf<TestRun>();
  // @ts-expect-error amount is a number
  void testProcedure({ document, input: { amount: "5" } });
  // @ts-expect-error there is no such input
  void testProcedure({ document, input: { amount: 5, more: true } });
});

test("a document without a known type accepts any input", () => {
  void testProcedure({ document: { schemaVersion: 1 }, input: { whatever: [1, null] } });
});

test("handlers of a fake with schemas have their types", () => {
  const schemas = {
    effect: "once",
    input: z.object({ amount: z.int() }),
    output: z.object({ id: z.string() }),
  } as const;
  fakeAction(schemas, ({ amount }) => {
    expectTypeOf(amount).toEqualTypeOf<number>();
    return { id: `pay_${amount}` };
  });
  // @ts-expect-error its output has an id that is a text
  fakeAction(schemas, () => ({ id: 5 }));
});

test("handlers of other fakes have the types that they declare", () => {
  once((args: { readonly amount: number }, { attempt }) => args.amount * attempt);
  reads(({ id }) => expectTypeOf(id).toBeUnknown());
  // @ts-expect-error a fake has a reply
  reads();
});
