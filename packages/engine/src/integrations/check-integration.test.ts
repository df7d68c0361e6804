import * as z from "zod";
import { describe, expect, test } from "vitest";
import { ActionError } from "./action-error.ts";
import { checkIntegration } from "./check-integration.ts";
import { defineAction, defineIntegration } from "./define-integration.ts";
import type { Integration } from "./integration.ts";

const pay = { description: "Pays.", input: z.object({}), effect: "once", run: () => ({}) } as const;

/** A definition from a program without types. */
type Loose = Parameters<typeof defineAction>[0];

const refused = (message: RegExp): unknown =>
  expect.objectContaining({ code: "invalid_configuration", message: expect.stringMatching(message) as string });

describe("an action is refused where it is defined", () => {
  test.each([
    [{ effect: "write" }, /the effect "write"\. .*"read".*"idempotent".*"once"/],
    [{ effect: "Once" }, /the effect "Once"/],
    [{ effect: undefined }, /has no effect\. .*"once"/],
    [{ effect: null }, /the effect null/],
    [{ effekt: "once" }, /no option "effekt"; did you mean "effect"\?/],
    [{ requiresReview: true }, /no option "requiresReview"; known are "description"/],
    [{ timeoutMS: 5 }, /did you mean "timeoutMs"\?/],
    [{ timeoutMs: "5" }, /the timeoutMs "5"/],
    [{ run: undefined }, /a run that is undefined\. Give the function/],
    [{ run: "https://bank.example" }, /a run that is a string/],
    [{ input: undefined }, /an input that is undefined\. Write z\.object/],
    [{ input: { type: "object" } }, /an input that is an object\. Write z\.object/],
    [{ input: z.string() }, /an input .*Write z\.object/],
    [{ output: { type: "object" } }, /an output that is an object/],
    [{ description: "" }, /has no description/],
    [{ description: 5 }, /has no description/],
  ])("with %o, however it is defined", (wrong, message) => {
    const definition = { ...pay, ...wrong } as unknown as Loose;
    expect(() => defineAction(definition)).toThrow(refused(message));
    expect(() => defineIntegration({ name: "x", actions: { it: definition } })).toThrow(refused(message));
    expect(() =>
      defineIntegration({ name: "x", actions: (tools) => ({ it: tools.defineAction(definition) }) }),
    ).toThrow(refused(message));
  });

  test("with a schema that JSON cannot describe", () => {
    const dated = { ...pay, input: z.object({ due: z.date() }) };
    expect(() => defineIntegration({ name: "x", actions: { it: dated } })).toThrow(
      refused(/"it" of the integration "x" takes an input that has no JSON Schema.*z\.iso\.datetime/),
    );
    const changed = { ...pay, output: z.string().transform(Number) };
    expect(() => defineIntegration({ name: "x", actions: { it: changed } })).toThrow(refused(/output.*no JSON Schema/));
  });

  test.each([undefined, null, "pay", [pay], () => pay])("when it is %o", (definition) => {
    expect(() => defineAction(definition as unknown as Loose)).toThrow(refused(/takes an object with options/));
  });
});

describe("an integration is refused where it is defined", () => {
  test.each([
    [{ nmae: "y" }, /defineIntegration has no option "nmae"; did you mean "name"\?/],
    [{ setting: z.object({}) }, /did you mean "settings"\?/],
    [{ destinationOf: "https://bank.example" }, /has the option destinationOf that is a string\. Give a function/],
    [{ name: "" }, /has the name ""/],
    [{ name: undefined }, /has the name undefined/],
    [{ name: "private_connection" }, /name "private_connection" is that of private connections/],
    [{ settings: { url: "x" } }, /has settings that are an object/],
    [{ secrets: z.string() }, /has secrets that are an object/],
    [{ actions: undefined }, /has actions that are undefined/],
    [{ actions: () => undefined }, /has actions that are undefined/],
  ])("with %o", (wrong, message) => {
    const definition = { name: "x", actions: { it: pay }, ...wrong } as unknown as Parameters<
      typeof defineIntegration
    >[0];
    expect(() => defineIntegration(definition)).toThrow(refused(message));
  });
});

describe("the engine refuses an invalid integration that defineIntegration did not make", () => {
  const bank = defineIntegration({ name: "bank", actions: { pay } });
  const { pay: made } = Object.fromEntries(bank.actions);
  const withAction = (wrong: object): unknown => ({ ...bank, actions: new Map([["pay", { ...made, ...wrong }]]) });

  test.each([
    [withAction({ effect: "write" }), /"pay" of the integration "bank" has the effect "write"/],
    [withAction({ effect: undefined }), /has no effect/],
    [withAction({ timeoutMs: 0 }), /the timeoutMs 0/],
    [withAction({ call: undefined }), /has a call that is undefined/],
    [withAction({ check: true }), /has a check that is a boolean/],
    [withAction({ revision: "" }), /has no revision/],
    [withAction({ name: "other" }), /calls itself "other"/],
    [{ ...bank, actions: { pay: made } }, /has actions that are an object\. Give a Map/],
    [{ ...bank, actions: new Map([["pay", undefined]]) }, /is undefined/],
    [{ ...bank, kind: "code" }, /is of the kind "code"/],
    [{ ...bank, checkConnection: undefined }, /has a checkConnection that is undefined/],
    [{ ...bank, fields: undefined }, /has no fields/],
    [{ kind: "documented", name: "docs", title: "Docs" }, /has a prepare that is undefined/],
    [Promise.resolve(bank), /has the name undefined/],
    [undefined, /holds undefined/],
  ])("%#", (integration, message) => {
    expect(() => checkIntegration(integration as Integration)).toThrow(refused(message));
  });

  test("and accepts one that defineIntegration made", () => {
    expect(() => checkIntegration(bank)).not.toThrow();
  });
});

describe("a schema that throws", () => {
  const asynchronous = z.object({ to: z.string().refine(async () => Promise.resolve(true)) });
  const actionOf = (definition: Loose) =>
    defineIntegration({ name: "x", actions: { it: definition } }).actions.get("it");

  test("prevents the call when it is the input schema", async () => {
    let ran = false;
    const action = actionOf({ ...pay, input: asynchronous, run: () => (ran = true) });
    const error = await action?.call({ to: "acme" }, {} as never).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ outcome: "not_sent", mayRetry: false });
    expect(ran).toBe(false);
  });

  test("counts as a violation when it is the output schema", async () => {
    const action = actionOf({ ...pay, output: asynchronous, run: () => ({ to: "acme" }) });
    expect(await action?.call({}, {} as never)).toMatchObject({
      output: { to: "acme" },
      violations: [{ path: "", message: expect.stringContaining("The output schema failed.") as string }],
    });
  });
});

describe("an ActionError", () => {
  test.each([
    [{ outcom: "unknown" }, /no option "outcom"; did you mean "outcome"\?/],
    [{ outcome: "unkown" }, /the outcome "unkown"/],
    [{ outcome: 10n }, /the outcome 10\. Write "refused"/],
    [{ retryable: "no" }, /a retryable that is string/],
  ])("with %o is rejected, so that it does not count as a refusal by the service", (options, message) => {
    expect(() => new ActionError("The bank hung up.", options as never)).toThrow(refused(message));
    expect(() => new ActionError("The bank hung up.", options as never)).toThrow(/"The bank hung up\."/);
  });
});
