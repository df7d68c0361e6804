import * as z from "zod";
import { describe, expect, test } from "vitest";
import { ActionError } from "./action-error.ts";
import { defineAction, defineIntegration } from "./define-integration.ts";
import type { CallContext } from "./integration.ts";

const context = {} as CallContext;

function actionOf(definition: Parameters<typeof defineAction>[0]) {
  const action = defineIntegration({ name: "x", actions: { it: definition } }).actions.get("it");
  if (action === undefined) throw new Error("The action is missing.");
  return action;
}

const pay = {
  description: "Pays.",
  input: z.object({ to: z.string(), amount: z.int().min(1) }),
  effect: "once",
  run: async () => ({ id: "1" }),
} as const;

describe("an action that is defined in code", () => {
  test("describes its arguments and its output as JSON Schema", () => {
    const action = actionOf({ ...pay, output: z.object({ id: z.string() }) });
    expect(action.input).toMatchObject({
      type: "object",
      required: ["to", "amount"],
      properties: { amount: { type: "integer", minimum: 1 } },
    });
    expect(action.output).toMatchObject({ type: "object", required: ["id"] });
    expect(actionOf(pay).output).toBeUndefined();
  });

  test("finds every violation of its arguments, each with a pointer", () => {
    const action = actionOf({
      ...pay,
      input: z.object({ "a/b~c": z.string(), list: z.array(z.object({ n: z.int() })) }),
    });
    expect(action.check({ "a/b~c": 5, list: [{ n: 1 }, { n: 1.5 }] }).map(({ path }) => path)).toEqual([
      "/a~1b~0c",
      "/list/1/n",
    ]);
    expect(action.check({ "a/b~c": "x", list: [] })).toEqual([]);
  });

  test("has another revision after a change of its name, effect or schemas, but not of its code or text", () => {
    const revisions = [
      actionOf(pay),
      actionOf({ ...pay, effect: "read" }),
      actionOf({ ...pay, input: z.object({ to: z.string() }) }),
      actionOf({ ...pay, output: z.object({ id: z.string() }) }),
    ].map(({ revision }) => revision);
    expect(new Set(revisions).size).toBe(4);
    expect(actionOf({ ...pay, description: "Other", run: async () => ({ id: "2" }) }).revision).toBe(revisions[0]);
  });

  test("is not run with arguments that are no longer valid, and reports that nothing was sent", async () => {
    let ran = false;
    const action = actionOf({ ...pay, run: async () => (ran = true) });
    const error = await action.call({ to: "x", amount: 0 }, context).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ActionError);
    expect(error).toMatchObject({ outcome: "not_sent", mayRetry: false });
    expect(ran).toBe(false);
  });

  test("returns an invalid output with its violations", async () => {
    const action = actionOf({ ...pay, output: z.object({ id: z.string() }), run: async () => ({ id: 5 }) });
    expect(await action.call({ to: "x", amount: 1 }, context)).toMatchObject({
      output: { id: 5 },
      violations: [{ path: "/id" }],
    });
  });

  test.each([0, -1, 0.5, 3_600_001, 30 * 86_400_000, Infinity, NaN])(
    "cannot have a time limit of %d ms, with either way of defining it",
    (timeoutMs) => {
      const definition = { ...pay, timeoutMs };
      const refused = expect.objectContaining({
        code: "invalid_configuration",
        message: expect.stringMatching(/"(Pays\.|it)".* timeoutMs .* from 1 to 3600000/) as string,
      });
      expect(() => defineAction(definition)).toThrow(refused);
      expect(() => defineIntegration({ name: "x", actions: { it: definition } })).toThrow(refused);
      expect(() =>
        defineIntegration({ name: "x", actions: (tools) => ({ it: tools.defineAction(definition) }) }),
      ).toThrow(refused);
    },
  );

  test("can take from a millisecond to an hour", () => {
    for (const timeoutMs of [1, 3_600_000]) expect(actionOf({ ...pay, timeoutMs }).timeoutMs).toBe(timeoutMs);
    expect(actionOf(pay).timeoutMs).toBeUndefined();
  });

  test.each([0, 999, 1_000.5, 315_360_000_001, Infinity, NaN])(
    "cannot have a key lifetime of %d ms",
    (idempotencyKeyTtlMs) => {
      const message = expect.stringMatching(/"Pays\.".* idempotencyKeyTtlMs .* from 1000 to 315360000000/) as string;
      const refused = expect.objectContaining({ code: "invalid_configuration", message });
      expect(() => defineAction({ ...pay, idempotencyKeyTtlMs })).toThrow(refused);
    },
  );

  test("declares the lifetime of its idempotency key, from a second to ten years, but not for a read", () => {
    for (const idempotencyKeyTtlMs of [1_000, 315_360_000_000]) {
      expect(actionOf({ ...pay, idempotencyKeyTtlMs }).idempotencyKeyTtlMs).toBe(idempotencyKeyTtlMs);
    }
    expect(actionOf(pay).idempotencyKeyTtlMs).toBeUndefined();
    const message = expect.stringContaining("a read needs no idempotency key") as string;
    expect(() => defineAction({ ...pay, effect: "read", idempotencyKeyTtlMs: 1_000 })).toThrow(
      expect.objectContaining({ code: "invalid_configuration", message }),
    );
  });

  test("may be made again after an unknown outcome, if its effect is once", () => {
    expect(actionOf({ ...pay, effect: "once", onUnknownOutcome: "retry" }).onUnknownOutcome).toBe("retry");
    expect(actionOf(pay).onUnknownOutcome).toBeUndefined();
    const message = expect.stringContaining('Use "retry", and only for "once"') as string;
    const refused = expect.objectContaining({ code: "invalid_configuration", message });
    expect(() => defineAction({ ...pay, effect: "idempotent", onUnknownOutcome: "retry" })).toThrow(refused);
    expect(() => defineAction({ ...pay, effect: "once", onUnknownOutcome: "fail" as never })).toThrow(refused);
  });

  test("rejects its promise also when its code throws synchronously", async () => {
    const action = actionOf({
      ...pay,
      run: () => {
        throw new Error("at once");
      },
    });
    await expect(action.call({ to: "x", amount: 1 }, context)).rejects.toThrow("at once");
  });
});

describe("an integration that is defined in code", () => {
  test("needs a connection only when it has settings or secrets", () => {
    expect(defineIntegration({ name: "x", actions: {} }).needsConnection).toBe(false);
    expect(defineIntegration({ name: "x", settings: z.object({}), actions: {} }).needsConnection).toBe(true);
    expect(defineIntegration({ name: "x", secrets: z.object({}), actions: {} }).needsConnection).toBe(true);
  });

  test("reports violations of settings and secrets together, and rejects unknown ones", () => {
    const integration = defineIntegration({
      name: "x",
      settings: z.object({ url: z.url() }),
      secrets: z.object({ key: z.string().min(3) }),
      actions: {},
    });
    expect(integration.checkConnection({ url: "no" }, { key: "k" }).map(({ path }) => path)).toEqual([
      "/settings/url",
      "/secrets/key",
    ]);
    expect(integration.checkConnection({ url: "https://x.test" }, { key: "long" })).toEqual([]);
    expect(defineIntegration({ name: "x", actions: {} }).checkConnection({ a: 1 }, { b: "2" })).toHaveLength(2);
  });

  test("judges rules between settings and secrets once both fit their schemas", () => {
    const { checkConnection } = defineIntegration({
      ...{ name: "x", actions: {}, settings: z.object({ limit: z.int().default(1) }) },
      secrets: z.object({ key: z.string().optional() }),
      check: ({ settings, secrets }) =>
        settings.limit > 1 && secrets.key === undefined ? [{ path: "/secrets/key", message: "is required" }] : [],
    });
    expect(checkConnection({}, {})).toEqual([]);
    expect(checkConnection({ limit: 2 }, {})).toEqual([{ path: "/secrets/key", message: "is required" }]);
    expect(checkConnection({ limit: 2 }, { key: "k" })).toEqual([]);
    expect(checkConnection({ limit: "many" }, {})).toMatchObject([{ path: "/settings/limit" }]);
    expect(() => defineIntegration({ name: "x", actions: {}, check: true as never })).toThrow("check that is");
  });

  test("has its name as title by default", () => {
    expect(defineIntegration({ name: "x", actions: {} }).title).toBe("x");
    expect(defineIntegration({ name: "x", title: "The X", actions: {} }).title).toBe("The X");
  });
});
