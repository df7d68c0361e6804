import { createMemoryStorage } from "@procedo/storage";
import { describe, expect, test } from "vitest";
import { alice, createHarness } from "./harness.ts";
import { call, procedure } from "./documents.ts";

const { engine, publish } = await createHarness();
await publish(procedure([call("a", "read")]));

/** A request from a program without types. */
const ask = (module: object, method: string, ...given: readonly unknown[]): Promise<unknown> =>
  (module as Record<string, (...given: readonly unknown[]) => Promise<unknown>>)[method]?.(...given) ??
  Promise.resolve();

const start = { procedureId: "p", environment: "sandbox", data: {}, by: alice };
const decision = { environment: "sandbox", runId: "r", approved: true, idempotencyKey: "k", by: alice };
const webhook = { url: "https://x.test", events: ["run_failed"], environment: "sandbox", by: alice };

describe("a request is refused with a message", () => {
  test.each<[string, object, string, readonly unknown[], RegExp]>([
    [
      "a misspelt version",
      engine.runs,
      "start",
      [{ ...start, verison: "v2" }],
      /^runs\.start has no option "verison"; did you mean "version"\?/,
    ],
    [
      "an option of another method",
      engine.runs,
      "start",
      [{ ...start, timeoutMs: 5 }],
      /^runs\.start has no option "timeoutMs"; known are/,
    ],
    [
      "a misspelt wait option",
      engine.runs,
      "execute",
      [start, { waitThroughReview: true }],
      /did you mean "waitThroughReviews"\?/,
    ],
    [
      "another environment",
      engine.runs,
      "start",
      [{ ...start, environment: "prod" }],
      /^runs\.start was given the environment "prod"\. Write "sandbox" or "live"\./,
    ],
    ["no person", engine.runs, "start", [{ ...start, by: undefined }], /^runs\.start needs "by": who acts/],
    ["a person as text", engine.runs, "start", [{ ...start, by: "ana" }], /a "by" that is a string: who acts/],
    ["a person without a name", engine.runs, "start", [{ ...start, by: {} }], /a "by" that is an object: who acts/],
    ["nothing", engine.runs, "start", [], /^runs\.start takes an object\. It was given undefined\./],
    ["no run id", engine.runs, "get", [{ environment: "sandbox" }], /^runs\.get needs "runId"/],
    ["a run id alone", engine.runs, "get", ["run_1"], /^runs\.get takes an object\. It was given a string\./],
    [
      "another environment of a read",
      engine.runs,
      "get",
      [{ environment: "prod", runId: "r" }],
      /the environment "prod"/,
    ],
    [
      "a misspelt approval",
      engine.reviews,
      "decide",
      [{ ...decision, approved: undefined, aproved: true }],
      /did you mean "approved"\?/,
    ],
    [
      "a misspelt publish option",
      engine.procedures,
      "publish",
      [{ document: {}, version: "v", defaultin: [], by: alice }],
      /did you mean "defaultIn"\?/,
    ],
    [
      "a default in no environment",
      engine.procedures,
      "publish",
      [{ document: {}, version: "v", defaultIn: ["prod"], by: alice }],
      /the environment "prod"/,
    ],
    [
      "a default outside a list",
      engine.procedures,
      "publish",
      [{ document: {}, version: "v", defaultIn: "live", by: alice }],
      /takes a list as defaultIn, and was given a string/,
    ],
    [
      "a misspelt permission",
      engine.keys,
      "create",
      [{ name: "k", environment: "live", permisions: [], by: alice }],
      /did you mean "permissions"\?/,
    ],
    [
      "a misspelt webhook option",
      engine.webhooks,
      "create",
      [{ ...webhook, isactiv: false }],
      /did you mean "isActive"\?/,
    ],
    [
      "a misspelt change of a record",
      engine.webhooks,
      "update",
      [{ ...webhook, webhookId: "w", createdAtMs: 1, isActve: false }],
      /no option "isActve"; did you mean "isActive"\?/,
    ],
    [
      "a misspelt drain",
      engine,
      "stop",
      [{ drainMS: 5 }],
      /^engine\.stop has no option "drainMS"; did you mean "drainMs"\?/,
    ],
    [
      "events that are not a list",
      engine.webhooks,
      "create",
      [{ ...webhook, events: "run_failed" }],
      /takes a list as events, and was given a string\.$/,
    ],
    [
      "a key that is null",
      engine.runs,
      "start",
      [{ ...start, idempotencyKey: null }],
      /takes a string as idempotencyKey, and was given null/,
    ],
    [
      "a run id that is a number",
      engine.runs,
      "get",
      [{ environment: "sandbox", runId: 5 }],
      /takes a string as runId, and was given a number/,
    ],
    [
      "a limit as text",
      engine.runs,
      "list",
      [{ environment: "sandbox", limit: "5" }],
      /takes a number as limit, and was given a string/,
    ],
    [
      "a limit that is not a number",
      engine.runs,
      "list",
      [{ environment: "sandbox", limit: NaN }],
      /takes a number as limit, and was given NaN/,
    ],
    [
      "an approval as text",
      engine.reviews,
      "decide",
      [{ ...decision, approved: "no" }],
      /takes true or false as approved, and was given a string/,
    ],
    [
      "no function",
      engine.runs,
      "execute",
      [start, { started: 5 }],
      /takes a function as started, and was given a number/,
    ],
    [
      "an invalid signal",
      engine.runs,
      "execute",
      [start, { signal: {} }],
      /takes the signal of an AbortController as signal, and was given an object/,
    ],
    ["a drain as text", engine, "stop", [{ drainMs: "5s" }], /takes a number as drainMs/],
    [
      "nothing to validate",
      engine.procedures,
      "validate",
      [],
      /^procedures\.validate takes an object\. It was given undefined/,
    ],
    ["a misspelt backtest option", engine, "backtest", [{ ...start, strikt: true }], /no option/],
  ])("with %s", async (_name, module, method, given, message) => {
    await expect(ask(module, method, ...given)).rejects.toMatchObject({
      name: "ProcedoError",
      code: "invalid_input",
      message: expect.stringMatching(message) as string,
    });
  });

  test("and so is a memory storage without its clock", () => {
    expect(() => createMemoryStorage(undefined as never)).toThrow(/createMemoryStorage takes an object with options/);
    expect(() => createMemoryStorage({} as never)).toThrow(/The option now is undefined\. Give a function/);
  });
});

test("a record may be passed as its address: its other members are ignored", async () => {
  const { runId } = await engine.runs.start({ ...start, environment: "sandbox" });
  const view = await engine.runs.get({ environment: "sandbox", runId });
  expect((await engine.runs.get(view)).runId).toBe(runId);
});

test("and so may a version and a key", async () => {
  const version = await engine.procedures.version({ procedureId: "p", version: "v1" });
  const setting = engine.procedures.setDefault({ ...version, environment: "sandbox", by: alice });
  await expect(setting).resolves.not.toThrow();
  const key = await engine.keys.create({ name: "k", environment: "sandbox", by: alice });
  await expect(engine.keys.remove({ ...key, by: alice })).resolves.toBeUndefined();
});
