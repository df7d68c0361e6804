import { defaultRunLimits } from "@procedo/procedure";
import type { Storage } from "@procedo/storage";
import { describe, expect, test } from "vitest";
import { readEngineOptions, type EngineOptions } from "./engine-options.ts";
import { defineIntegration } from "./integrations/define-integration.ts";

const needed: EngineOptions = {
  storage: { runs: {}, watch: () => () => {} } as unknown as Storage,
  integrations: [],
  masterKey: new Uint8Array(32),
};

/** Options as code without types could pass them. */
const read = (options: object) => readEngineOptions({ ...needed, ...options });

const invalid = (message: string): unknown => expect.objectContaining({ code: "invalid_configuration", message });

/** Each numeric option: its group and name, its minimum and its maximum. */
const numbers: readonly (readonly [string, string, number, number])[] = [
  ["worker", "leaseMs", 100, 3_600_000],
  ["worker", "capacity", 1, 1_000_000],
  ["worker", "pollMs", 10, 3_600_000],
  ["worker", "sendWindowMs", 100, 3_600_000],
  ["limits", "nodeVisits", 1, 100_000],
  ["limits", "toolCalls", 0, 100_000],
  ["limits", "stepBytes", 1, 64 * 2 ** 20],
  ["limits", "runBytes", 1, 2 ** 30],
  ["limits", "depth", 1, 256],
  ["egress", "maxResponseBytes", 1, 256 * 2 ** 20],
  ["egress", "connectTimeoutMs", 1, 3_600_000],
];

describe("the options of an engine", () => {
  test.each(numbers)(
    "%s.%s is accepted within its bounds, and refused with the bounds outside",
    (group, name, least, most) => {
      for (const value of [least, most]) {
        expect(read({ [group]: { [name]: value } })).toMatchObject({ [group]: { [name]: value } });
      }
      for (const value of [least - 1, most + 1, least + 0.5, NaN, Infinity, -Infinity, String(most)]) {
        const shown = typeof value === "string" ? `"${value}"` : value;
        const refused = invalid(
          `The option ${group}.${name} is ${shown}. Give a whole number from ${least} to ${most}.`,
        );
        expect(() => read({ [group]: { [name]: value } }), String(value)).toThrow(refused);
      }
    },
  );

  test.each([{}, { worker: {}, limits: {} }, { worker: { leaseMs: undefined }, limits: { depth: undefined } }])(
    "have defaults when they are omitted: %j",
    (options) => {
      expect(read(options)).toMatchObject({
        workspace: "default",
        limits: defaultRunLimits,
        worker: { leaseMs: 15_000, capacity: 1_000, pollMs: 1_000, sendWindowMs: 5_000 },
        checkpointMs: 3_600_000,
      });
    },
  );

  test.each(["", "a\n", "\u0000", "\ud800", "x".repeat(101), 5, true])("refuse the workspace %j", (workspace) => {
    const message = `The option workspace is ${JSON.stringify(workspace)}. Give 1 to 100 characters, none of them a control.`;
    expect(() => read({ workspace })).toThrow(invalid(message));
  });

  test.each(["a", "Acme EU/2", "é", "😀".repeat(100)])("accept the workspace %j", (workspace) => {
    expect(read({ workspace }).workspace).toBe(workspace);
  });

  test.each([undefined, "canary".repeat(10), [1, 2, 3]])(
    "refuse a master key that is not bytes, and never show it",
    (masterKey) => {
      const message = "The option masterKey is not a Uint8Array. Give at least 32 random bytes.";
      expect(() => read({ masterKey })).toThrow(invalid(message));
    },
  );

  test.each([
    [{ integration: [] }, 'createEngine has no option "integration"; did you mean "integrations"?'],
    [{ logger: {} }, /^createEngine has no option "logger"; known are/],
    [{ worker: { leasMs: 5 } }, 'The option worker has no option "leasMs"; did you mean "leaseMs"?'],
    [{ limits: { toolcals: 5 } }, /did you mean "toolCalls"\?/],
    [{ egress: { allowNetwork: [] } }, /did you mean "allowNetworks"\?/],
    [{ storage: Promise.resolve({}) }, /^The option storage is a promise, .* Write await before SqliteStorage\.open/],
    [{ storage: undefined }, /^The option storage is undefined\. Give a storage/],
    [{ storage: "./procedo.sqlite" }, /^The option storage is a string/],
    [{ integrations: undefined }, /^The option integrations is undefined\. Give a list/],
    [{ integrations: {} }, /^The option integrations is an object/],
    [{ storage: { runs: {} } }, /^The option storage is an object/],
    [
      { clock: Date },
      /^The option clock has undefined as monotonic\. Give an object with the functions now, monotonic/,
    ],
    [{ random: Math }, /^The option random has undefined as bytes\./],
    [{ models: { argumnets: {} } }, 'The option models has no option "argumnets"; did you mean "arguments"?'],
    [{ models: () => {} }, /^The option models takes an object with options\. It was given a function\./],
    [
      { models: { arguments: { modle: {} } } },
      /^The option models\.arguments has no option "modle"; did you mean "model"\?/,
    ],
    [{ models: { arguments: {} } }, /not a language model .*, but undefined\./],
    [
      { models: { procedures: { p: { question: {} } } } },
      /models\.procedures\["p"\] has no option "question"; did you mean "questions"\?/,
    ],
    [{ log: () => {} }, /^The option log has undefined as info/],
    [{ observe: {} }, /^The option observe is an object\. Give a function/],
  ])("refuse %o with a message", (options, message) => {
    const said = typeof message === "string" ? message : (expect.stringMatching(message) as string);
    expect(() => read(options)).toThrow(expect.objectContaining({ code: "invalid_configuration", message: said }));
  });

  test.each([undefined, null, []])("refuse %o in place of the options", (options) => {
    expect(() => readEngineOptions(options as never)).toThrow(/createEngine takes an object with options/);
  });

  test("refuse two integrations of one name", () => {
    const bank = defineIntegration({ name: "bank", actions: {} });
    const message = 'Two integrations are named "bank". Rename one.';
    expect(() => read({ integrations: [bank, bank] })).toThrow(invalid(message));
    expect(read({ integrations: [bank] }).integrations).toEqual(new Map([["bank", bank]]));
  });
});
