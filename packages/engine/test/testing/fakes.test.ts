import { ActionError, defineIntegration, z } from "@procedo/engine";
import {
  createTestEnvironment,
  idempotent,
  timesOut,
  fakeAction,
  losesAnswer,
  once,
  reads,
  refuses,
  testProcedure,
} from "@procedo/engine/testing";
import { describe, expect, test } from "vitest";
import { call, procedure } from "../documents.ts";
import { documentText, listedApi } from "../listed-api.ts";

const pay = procedure([call("pay", "pay", { arguments: { to: "acme", amount: "{{ input.amount }}" } })], {
  output: { id: "{{ nodes.pay.output.id }}" },
});
const input = { amount: 5 };

describe("a fake with schemas", () => {
  const typed = { effect: "once", input: z.object({ to: z.string(), amount: z.int().default(1) }) } as const;

  test("passes its handler the arguments as parsed by the schema", async () => {
    const seen: unknown[] = [];
    const action = fakeAction(typed, (args) => {
      seen.push(args);
      return { id: `pay_${args.amount}` };
    });
    const document = procedure([call("pay", "pay", { arguments: { to: "acme" } })]);
    await testProcedure({ document, actions: { bank: { pay: action } } });
    expect(seen).toEqual([{ to: "acme", amount: 1 }]);
  });

  test("checks calls by the schema before they are made", async () => {
    const action = fakeAction(typed, () => {
      throw new Error("never called");
    });
    const run = await testProcedure({ document: pay, input: { amount: "lots" }, actions: { bank: { pay: action } } });
    expect(run.status).toBe("failed");
    expect(run.error).toContain("/amount");
    expect(run.calls).toEqual([]);
  });

  test("may not return an invalid output: that is an error of the test, regardless of the procedure's handling", async () => {
    const action = fakeAction({ ...typed, output: z.object({ id: z.string() }) }, { id: 5 } as never);
    await expect(testProcedure({ document: pay, input, actions: { bank: { pay: action } } })).rejects.toThrow(
      'The fake of "bank.pay" returned an output that does not match its schema: /id',
    );
  });
});

describe("a handler", () => {
  test("receives the call's context, and can return every kind of outcome", async () => {
    const pays = once((args: { amount: number }, { attempt, idempotencyKey, nodeId, run }) => {
      if (args.amount > 1_000) return refuses("Too much.");
      if (attempt === 1) throw new ActionError("Not now.", { retryable: true });
      return { id: [attempt, idempotencyKey.length, nodeId, run.procedureId].join(" ") };
    });
    const actions = { bank: { pay: pays } };
    expect((await testProcedure({ document: pay, input, actions })).output).toEqual({ id: "2 32 pay p" });
    expect((await testProcedure({ document: pay, input: { amount: 2_000 }, actions })).error).toBe("Too much.");
  });

  test("whose assertion fails, fails the test with the same error", async () => {
    const failure = new Error("expected 5 to be 6");
    const pays = once(async () => {
      throw failure;
    });
    await expect(testProcedure({ document: pay, input, actions: { bank: { pay: pays } } })).rejects.toBe(failure);
  });

  test("and the scripted replies of a fake start anew in every environment", async () => {
    const actions = { bank: { pay: once({ id: "first" }, { id: "second" }) } };
    for (let time = 0; time < 2; time++) {
      const environment = await createTestEnvironment({ document: pay, actions });
      expect((await environment.run({ input })).output).toEqual({ id: "first" });
      expect((await environment.run({ input })).output).toEqual({ id: "second" });
      expect((await environment.run({ input })).output).toEqual({ id: "second" });
    }
  });
});

describe("an integration from code", () => {
  const sent: unknown[] = [];
  const bank = defineIntegration({
    name: "bank",
    settings: z.object({ region: z.string() }),
    secrets: z.object({ token: z.string() }),
    actions: ({ defineAction }) => ({
      pay: defineAction({
        description: "Pays.",
        input: z.object({ to: z.string(), amount: z.int() }),
        output: z.object({ id: z.string() }),
        effect: "once",
        run: ({ amount }, { settings, secrets }) => {
          sent.push([settings.region, secrets.token]);
          return { id: `real_${amount}` };
        },
      }),
      balance: defineAction({ description: "Tells.", input: z.object({}), effect: "read", run: () => 7 }),
    }),
  });

  test("keeps its schemas and effects when its actions are faked, and then needs no settings", async () => {
    const run = await testProcedure({
      document: pay,
      input,
      integrations: [bank],
      actions: { bank: { pay: losesAnswer() } },
    });
    expect(run.review).toMatchObject({ kind: "outcome_unknown", rules: { outputs: { required: ["id"] } } });
    const wrong = testProcedure({ document: pay, input, integrations: [bank], actions: { bank: { pay: { no: 1 } } } });
    await expect(wrong).rejects.toThrow(
      'The fake of "bank.pay" returned an output that does not match its schema: /id',
    );
  });

  test("is called for real if it has no fake, with the connection's settings and secrets", async () => {
    const connections = { bank: { settings: { region: "eu" }, secrets: { token: "t0p-secret" } } };
    const run = await testProcedure({ document: pay, input, integrations: [bank], connections });
    expect([run.output, sent]).toEqual([{ id: "real_5" }, [["eu", "t0p-secret"]]]);
    const wrong = testProcedure({ document: pay, input, integrations: [bank], connections: { bank: {} } });
    await expect(wrong).rejects.toMatchObject({ code: "invalid_input" });
  });

  test("may be faked in part; an action that is neither faked nor connected fails the test when it is called", async () => {
    const both = procedure([call("balance", "balance"), call("pay", "pay", { arguments: { to: "acme", amount: 1 } })]);
    const actions = { bank: { pay: { id: "pay_1" } } };
    await expect(testProcedure({ document: both, integrations: [bank], actions })).rejects.toThrow(
      '"bank.balance" was called, but it is not faked and has no connection.',
    );
    const connections = { bank: { settings: { region: "eu" }, secrets: { token: "t" } } };
    const run = await testProcedure({ document: both, integrations: [bank], actions, connections });
    expect(run.outputOf("balance")).toBe(7);
  });

  test("serves connections with other names, each with its own fakes", async () => {
    const transfer = { to: "acme", amount: 1 };
    const document = procedure([
      call("pay", "pay", { arguments: transfer }),
      { id: "refund", kind: "tool_call", connection: "other", action: "pay", arguments: transfer },
    ]);
    const placed = { integration: "bank", settings: { region: "eu" }, secrets: { token: "t" } };
    const run = await testProcedure({
      document,
      integrations: [bank],
      connections: { bank: placed, other: placed },
      actions: { bank: { pay: { id: "a" } }, other: { pay: { id: "b" } } },
    });
    expect([run.outputOf("pay"), run.outputOf("refund")]).toEqual([{ id: "a" }, { id: "b" }]);
  });
});

describe("an integration with documents", () => {
  const text = documentText({
    server: "https://bank.invalid",
    actions: [
      { name: "pay", at: "POST /payments", effect: "once" },
      { name: "balance", at: "GET /balance", effect: "read" },
    ],
  });
  const connections = { bank: { integration: "listed", settings: { spec: { text } }, secrets: { token: "t" } } };

  test("gives the fakes their actions", async () => {
    const { integration } = listedApi();
    const given = { document: pay, input, integrations: [integration], connections };
    const run = await testProcedure({ ...given, actions: { bank: { pay: once({ id: "pay_1" }) } } });
    expect(run.output).toEqual({ id: "pay_1" });
    await expect(testProcedure({ ...given, actions: { bank: { transfer: once(null) } } })).rejects.toThrow(
      '"bank" has no action "transfer" that could be faked. It has: pay, balance.',
    );
  });

  test("has the effects that its fakes declare, if they declare any", async () => {
    const { integration } = listedApi();
    const given = { document: pay, input, integrations: [integration], connections };
    await expect(testProcedure({ ...given, actions: { bank: { pay: reads({ id: "pay_1" }) } } })).rejects.toThrow(
      '"bank.pay" is "once", and its fake says "read". Use the same effect in both.',
    );
  });
});

test("a fake with an undeclared effect is refused", async () => {
  await expect(testProcedure({ document: pay, input, actions: { bank: { pay: { id: "pay_1" } } } })).rejects.toThrow(
    'The fake of "bank.pay" does not declare the effect of a call. Write it as reads(…), idempotent(…) or once(…).',
  );
  await expect(testProcedure({ document: pay, input, connections: { bank: {} } })).rejects.toThrow(
    'There is no integration "bank" for the connection "bank".',
  );
});

describe("a function of a private connection", () => {
  const screen = {
    id: "screen",
    kind: "tool_call",
    connection: "office",
    action: "screen",
    arguments: { name: "Acme" },
  } as const;
  const document = procedure([{ ...screen, onUnknownOutcome: "fail" }], {
    output: { hits: "{{ nodes.screen.output.hits }}" },
  });
  const asking = { effect: "once", requiresReview: true } as const;

  test("that requires a review is called after an approval", async () => {
    const seen: unknown[] = [];
    const office = {
      screen: fakeAction(asking, (args, { idempotencyKey, run }) => {
        seen.push([args, run.procedureId, idempotencyKey.length]);
        return { hits: 0 };
      }),
      other: idempotent(null),
    };
    const run = await testProcedure({ document, actions: { office } });
    expect(run.review).toMatchObject({ kind: "function", call: { dispatched: true, args: { name: "Acme" } } });
    expect(seen).toEqual([]);
    await run.approve();
    expect([run.output, seen]).toEqual([{ hits: 0 }, [[{ name: "Acme" }, "p", 32]]]);
    const rejected = await testProcedure({ document, actions: { office } });
    await rejected.reject("Not today.");
    expect([rejected.error, seen.length]).toEqual(["Not today.", 1]);
  });

  test("fails with its message, or has an unknown outcome if it never answers", async () => {
    const outcome = async (reply: ReturnType<typeof refuses>) => {
      const run = await testProcedure({ document, actions: { office: { screen: fakeAction(asking, reply) } } });
      await run.approve();
      return [run.status, run.error];
    };
    expect(await outcome(refuses("No such list."))).toEqual(["failed", "No such list."]);
    expect(await outcome(timesOut())).toEqual(["failed", expect.stringContaining("It is not known whether")]);
  });

  test("declares its effect in the way of functions", async () => {
    const office = { screen: fakeAction(asking, null), lookup: reads(null) };
    await expect(testProcedure({ document, actions: { office } })).rejects.toThrow(
      'The fake of the function "office.lookup" is "read", which a function cannot be. Use "idempotent" or "once".',
    );
  });
});
