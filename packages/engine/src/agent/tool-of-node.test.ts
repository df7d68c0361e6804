import type { JsonObject } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import type { Action } from "../integrations/integration.ts";
import { fitsStrict } from "../models/model-strict.ts";
import { toolOfAction, toolOfDecline, toolOfQuestion } from "./tool-of-node.ts";

function actionWith(input: JsonObject, changes: Partial<Action> = {}): Action {
  return {
    ...{
      name: "pay",
      description: "Pays.",
      effect: "once",
      input,
      output: undefined,
      revision: "r",
      deprecated: false,
    },
    ...{
      operation: undefined,
      timeoutMs: undefined,
      check: () => [],
      call: async () => ({ output: {}, violations: [] }),
    },
    ...changes,
  };
}

const tool = (input: JsonObject, ...fixed: readonly string[]) =>
  toolOfAction(actionWith(input), "bank", new Set(fixed));

const members = { to: { type: "string" }, amount: { type: "integer" }, memo: { type: "string" } };

describe("the tool of an action", () => {
  test("has the action's schema without the fixed arguments, closed", () => {
    const { input, known, fixed } = tool({ type: "object", properties: members, required: ["to", "amount"] }, "to");
    expect(input).toEqual({
      type: "object",
      properties: { amount: members.amount, memo: members.memo },
      required: ["amount"],
      additionalProperties: false,
    });
    expect([[...(known ?? [])], [...fixed]]).toEqual([["to", "amount", "memo"], ["to"]]);
  });

  test("has the action's schema unchanged if no argument is fixed", () => {
    const input = {
      type: "object",
      properties: members,
      required: ["to"],
      additionalProperties: false,
      minProperties: 1,
    };
    expect(tool(input).input).toEqual(input);
  });

  test("omits fixed members from alternatives too, and all keywords about the whole object", () => {
    const { input, known } = tool(
      {
        type: "object",
        properties: { to: members.to },
        required: ["to"],
        minProperties: 2,
        dependentRequired: { to: ["amount"] },
        if: { required: ["to"] },
        then: { required: ["memo"], properties: { memo: members.memo } },
        anyOf: [
          { properties: { amount: members.amount }, required: ["to", "amount"] },
          { properties: { share: { type: "number" } }, required: ["share"] },
        ],
      },
      "to",
    );
    expect(input).toEqual({
      type: "object",
      properties: {},
      required: [],
      anyOf: [
        { properties: { amount: members.amount }, required: ["amount"] },
        { properties: { share: { type: "number" } }, required: ["share"] },
      ],
    });
    expect([...(known ?? [])].toSorted()).toEqual(["amount", "memo", "share", "to"]);
  });

  test("follows references within its schema, and keeps the definitions for members", () => {
    const $defs = {
      Payment: { type: "object", properties: { ...members, of: { $ref: "#/$defs/Of" } }, required: ["to"] },
      Of: {},
    };
    const { input, known } = tool({ $ref: "#/$defs/Payment", $defs }, "to");
    expect(input).toEqual({
      $defs,
      allOf: [
        {
          type: "object",
          properties: { amount: members.amount, memo: members.memo, of: { $ref: "#/$defs/Of" } },
          required: [],
        },
      ],
    });
    expect([...(known ?? [])].toSorted()).toEqual(["amount", "memo", "of", "to"]);
  });

  test.each<[string, JsonObject]>([
    ["that accepts any member", { type: "object", properties: members, additionalProperties: {} }],
    ["that describes no members", { type: "object" }],
    ["with patterns for names", { type: "object", properties: members, patternProperties: { "^x-": {} } }],
    ["whose reference leads outside", { $ref: "https://example.com/schema" }],
    ["whose reference leads in a circle", { $ref: "#/$defs/A", $defs: { A: { $ref: "#/$defs/A" } } }],
  ])("leaves the names to the action's own check for a schema %s", (_what, input) => {
    expect(tool(input, "to").known).toBeUndefined();
  });

  test("of an action without arguments accepts none", () => {
    const { input, known } = tool({ type: "object", properties: {}, additionalProperties: false });
    expect([input["additionalProperties"], [...(known ?? [])]]).toEqual([false, []]);
  });

  test("has a name that every provider accepts, and quotes the description, cut", () => {
    const action = actionWith(
      { type: "object" },
      { name: "get /payments/{id}", description: `"${"😀".repeat(1_000)}` },
    );
    const { name, description } = toolOfAction(action, "bank", new Set());
    expect(name).toMatch(/^[\w-]{1,64}$/);
    expect(description.length).toBeLessThan(1_024);
    expect(description).toContain('"\\"😀');
    expect(description.isWellFormed()).toBe(true);
  });
});

describe("the tool of a question", () => {
  test("names its branches, including one called __proto__", () => {
    const answers = [
      { name: "yes", description: undefined },
      { name: "__proto__", description: "No." },
    ];
    const { input, known } = toolOfQuestion({ text: "?", answers, confidence: undefined, budget: {} });
    expect(input).toMatchObject({
      properties: { branch: { enum: ["yes", "__proto__"] } },
      required: ["branch", "reason"],
    });
    expect([...(known ?? [])]).toEqual(["branch", "reason"]);
  });
});

describe("the decline tool", () => {
  test("requires a reason and nothing else, in a schema that strict modes accept", () => {
    const { name, description, input } = toolOfDecline("pay");
    expect([name, input["required"], input["additionalProperties"]]).toEqual(["decline", ["reason"], false]);
    expect(description).toContain('"pay"');
    for (const family of ["openai", "anthropic"] as const) expect(fitsStrict(input, family)).toBe(true);
  });

  test("never has the name of the action's tool", () => {
    for (const action of ["decline", "decline_call", "Decline"]) {
      expect(toolOfDecline(toolOfAction(actionWith({}, { name: action }), "bank", new Set()).name).name).not.toBe(
        action,
      );
    }
  });
});
