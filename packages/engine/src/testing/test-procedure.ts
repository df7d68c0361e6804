import type { JsonObject, ProcedureDocument } from "@procedo/contract";
import { createTestEnvironment, type TestEnvironmentOptions, type TestRunOptions } from "./test-environment.ts";
import type { TestRun } from "./test-run.ts";

/** A procedure, its environment, and one run of it. */
export type TestOptions<Document extends ProcedureDocument | JsonObject> = TestEnvironmentOptions<Document> &
  TestRunOptions<Document>;

/**
 * Runs a procedure in this process: on a real engine with in-memory storage, faked or real actions, and a simulated
 * clock. Resolves when the run has ended or waits for a person. Works in any test runner.
 *
 * @throws ProcedoError as {@link createTestEnvironment}, and of `runs.start`
 * @example
 * const run = await testProcedure({
 *   document,
 *   input: { vendorId: "ven_1", amount: 5_000 },
 *   actions: {
 *     ledger: {
 *       get_vendor: reads({ name: "Acme" }),
 *       pay: once(losesAnswer(), { id: "pay_1" }),
 *     },
 *   },
 * });
 * expect(run.status).toBe("awaiting_review");
 * await run.approve({ outputs: { id: "pay_1" } });
 * expect(run.path).toEqual(["start", "vendor", "pay", "done"]);
 */
export async function testProcedure<Document extends ProcedureDocument | JsonObject>(
  options: TestOptions<Document>,
): Promise<TestRun> {
  const { input, by, ...surroundings } = options;
  const environment = await createTestEnvironment<Document>(surroundings);
  return await environment.run({ ...(input !== undefined && { input }), ...(by !== undefined && { by }) });
}
