import { expectTypeOf, test } from "vitest";
import * as z from "zod";
import * as mini from "zod/mini";
import * as z3 from "zod3";
import type { HandlerContext } from "../invocations/handler-context.ts";
import { testConnection } from "../test-connection.ts";
import { defineFunction } from "./define-function.ts";

const about = { name: "f", description: "d" } as const;

test("a handler's input has the output type of the schema, from zod 4, zod mini or zod 3", () => {
  defineFunction({
    ...about,
    input: z.object({ name: z.string(), limit: z.number().default(5), cents: z.string().transform(Number) }),
    handler: (input, context) => {
      expectTypeOf(input).toEqualTypeOf<{ name: string; limit: number; cents: number }>();
      expectTypeOf(context).toEqualTypeOf<HandlerContext>();
    },
  });
  defineFunction({
    ...about,
    input: z3.object({ name: z3.string(), limit: z3.number().default(5), cents: z3.string().transform(Number) }),
    handler: (input) => {
      expectTypeOf(input).toEqualTypeOf<{ name: string; limit: number; cents: number }>();
    },
  });
  defineFunction({
    ...about,
    input: mini.object({ name: mini.string() }),
    handler: (input) => {
      expectTypeOf(input).toEqualTypeOf<{ name: string }>();
    },
  });
});

test("the context has the type of the interface", () => {
  expectTypeOf<HandlerContext["environment"]>().toEqualTypeOf<"sandbox" | "live">();
  expectTypeOf<HandlerContext["runId"]>().toEqualTypeOf<string | null>();
  expectTypeOf<HandlerContext["procedureId"]>().toEqualTypeOf<string | null>();
  expectTypeOf<HandlerContext["procedureVersion"]>().toEqualTypeOf<string | null>();
  expectTypeOf<HandlerContext["signal"]>().toEqualTypeOf<AbortSignal>();
});

test("a test connection has types for names, inputs and results", () => {
  const screen = defineFunction({
    ...about,
    name: "screen",
    input: z.object({ name: z.string(), limit: z.number().default(5) }),
    handler: async ({ name }) => ({ name, at: new Date(0), nothing: undefined }),
  });
  const ping = defineFunction({ ...about, name: "ping", input: z.object({}), handler: () => {} });
  const { call } = testConnection({ functions: [screen, ping] });
  expectTypeOf(call("screen", { name: "x" })).resolves.toEqualTypeOf<{
    name: string;
    at: string;
    nothing: undefined;
  }>();
  expectTypeOf(call("ping", {})).resolves.toEqualTypeOf<undefined>();
  // @ts-expect-error there is no such function
  void call("pong", {});
  // @ts-expect-error the name is missing
  void call("screen", {});
});
