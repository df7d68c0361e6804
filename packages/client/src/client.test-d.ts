import { expectTypeOf, test } from "vitest";
import type { JsonObject } from "@procedo/contract";
import { createClient, type Client } from "./client.ts";

interface Payment {
  invoice: string;
  note?: string;
}
interface Paid {
  paid: boolean;
}

const options = { apiKey: "rsk_live_x", runnerUrl: "https://procedo.example.com" };
declare const typed: Client<{ "vendor-payment": { input: Payment; output: Paid } }>;

test("a map types each procedure by its id", async () => {
  const reply = await typed.run("vendor-payment", { data: { invoice: "INV-1" } });
  if (reply.status === "completed") expectTypeOf(reply.output).toEqualTypeOf<Paid>();
  else if (reply.status === "failed") expectTypeOf(reply.error).toEqualTypeOf<string>();
  else expectTypeOf(reply.statusUrl).toEqualTypeOf<string>();
  const run = await typed.procedure("vendor-payment").wait("run_1");
  if (run.status === "completed") expectTypeOf(run.output).toEqualTypeOf<Paid>();
  // @ts-expect-error a procedure that is not in the map
  void typed.start("vendor-pament", { data: { invoice: "INV-1" } });
  // @ts-expect-error data that lacks a member
  void typed.start("vendor-payment", { data: {} });
});

test("a single procedure can be typed without a map, or beside it", async () => {
  const payment = createClient(options).procedure<Payment, Paid>("vendor-payment");
  expectTypeOf(payment.start).parameter(0).toHaveProperty("data").toEqualTypeOf<Payment>();
  const reply = await typed.procedure<{ a: 1 }, { b: 2 }>("another").run({ data: { a: 1 } });
  if (reply.status === "completed") expectTypeOf(reply.output).toEqualTypeOf<{ b: 2 }>();
});

test("without types, any procedure accepts and returns JSON", async () => {
  const reply = await createClient(options).run("anything", { data: { a: [1, "b", null] } });
  if (reply.status === "completed") expectTypeOf(reply.output).toEqualTypeOf<JsonObject>();
  // @ts-expect-error JSON cannot hold the value
  void createClient(options).start("anything", { data: { at: new Date() } });
});

test("a rejection needs its reason, and only an approval has outputs", () => {
  const shown = { runId: "run_1", reviewId: "rev_1", digest: "d" };
  // @ts-expect-error no reason
  void typed.reviews.decide(shown, { approved: false });
  // @ts-expect-error outputs of a rejection
  void typed.reviews.decide(shown, { approved: false, rejectionReason: "no", outputs: {} });
});
