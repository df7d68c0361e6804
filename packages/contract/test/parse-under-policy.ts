/**
 * Run by `code-generation.test.ts` in a separate process: parses some bodies while code generation from text is
 * forbidden, as under a strict content security policy, and prints the results and the number of attempts.
 */
import * as z from "zod";

let attempts = 0;
const count = () => {
  attempts += 1;
  throw new EvalError("Code generation from strings disallowed for this context");
};
globalThis.Function = new Proxy(Function, { construct: count, apply: count });

z.config({ jitless: process.argv.includes("jitless") });
const contract = await import("../src/index.ts");

const key = "3f2b8c1e-9d4a-4f6b-8a1c-2e5d7f9b0c3d";
const results = [
  contract.startRunRequestSchema.safeParse({ data: { amount: 1 }, control: { executionMode: "sync" } }).success,
  contract.reviewDecisionSchema.safeParse({ approved: false, idempotencyKey: key, rejectionReason: "No." }).success,
  contract.eventNameSchema.safeParse("custom.payment_sent").success,
  contract.startRunRequestSchema.safeParse({ data: {}, mode: "sync" }).success,
  contract.reviewDecisionSchema.safeParse({ approved: false, idempotencyKey: key }).success,
];
process.stdout.write(JSON.stringify({ attempts, results }));
