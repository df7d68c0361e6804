import type { JsonObject } from "@procedo/contract";
import { compileSchema } from "@procedo/procedure";
import { describe, expect, test } from "vitest";
import { importFile, pathOf } from "./shared-documents.ts";

/** The inputs of a document's operation, and whether arguments match them. */
function inputOf(file: string, name: string) {
  const operation = importFile(pathOf("invalid", file)).api?.operations.find((one) => one.name === name);
  if (operation === undefined) throw new Error(`${file} gives no action "${name}".`);
  const compiled = compileSchema(operation.input, { unsupportedPatterns: "ignore" });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  const fits = (args: JsonObject): boolean => compiled.validator.validate(args).length === 0;
  return { input: operation.input, inputs: operation.inputs, fits };
}

const shapes = (name: string) => inputOf("36-ok-body-shapes.yaml", name);

describe("36-ok-body-shapes.yaml: the accepted arguments", () => {
  test.each([
    ["arrayBody", { body: [{ sku: "a" }] }, true],
    ["arrayBody", { body: [] }, false],
    ["arrayBody", { body: [{ qty: 1 }] }, false],
    ["arrayBody", {}, false],
    ["stringBody", { body: "text" }, true],
    ["stringBody", {}, false],
    ["oneOfBody", { kind: "card" }, false],
    ["oneOfBody", { kind: "card", number: "4" }, true],
    ["oneOfBody", { kind: "sepa", iban: "DE" }, true],
    ["oneOfBody", { kind: "sepa", number: "4" }, false],
    ["allOfBody", { amount: 1, currency: "EUR" }, true],
    ["allOfBody", { amount: 1 }, false],
    ["allOfBody", { currency: "EUR" }, false],
    ["allOfBody", { amount: 1, currency: "EU" }, false],
    ["allOfBody", { amount: 1.5, currency: "EUR" }, false],
    ["readOnlyBody", { name: "n", secret: "s" }, true],
    ["readOnlyBody", { name: "n" }, false],
    ["nullableBody", { memo: null }, true],
    ["nullableBody", {}, false],
    ["nullableBody", { memo: null, kind: null }, true],
    ["nullableBody", { memo: null, kind: "c" }, false],
    ["nullableBody", { memo: null, min: 0 }, false],
    ["nullableBody", { memo: null, min: 0.5 }, true],
    ["formBody", { amount: 1 }, true],
    ["formBody", { amount: 1.5 }, false],
    ["multipartBody", {}, false],
    ["mapBody", { anything: 1 }, true],
    ["mapBody", { anything: "1" }, false],
    ["emptyContent", {}, true],
    ["emptyContent", { sku: "a" }, false],
    // A member that its schema requires is required, even if the body itself is optional.
    ["optionalBody", {}, false],
    ["optionalBody", { sku: "a" }, true],
    ["getWithBody", {}, true],
    ["getWithBody", { sku: "a" }, false],
  ] as const)("%s %j: %s", (name, args, fits) => {
    expect(shapes(name).fits(args as JsonObject)).toBe(fits);
  });

  test("format, length and minimum are kept, and members that only the service sets are not inputs", () => {
    expect(shapes("allOfBody").input).toMatchObject({
      properties: {
        amount: { type: "integer", format: "int64", minimum: 1 },
        currency: { minLength: 3, maxLength: 3 },
      },
    });
    expect(Object.keys(shapes("readOnlyBody").input["properties"] ?? {})).toEqual(["name", "secret"]);
    expect(shapes("arrayBody").input).toMatchObject({ properties: { body: { minItems: 1 } } });
  });

  test("there are fourteen actions below the server with its variables' defaults", () => {
    const { api } = importFile(pathOf("invalid", "36-ok-body-shapes.yaml"));
    expect(api?.operations).toHaveLength(14);
    expect(api?.baseUrl).toBe("https://eu.example.com/v1");
  });
});

describe("24-ok-circular-refs.yaml: a schema that contains itself", () => {
  const account = inputOf("24-ok-circular-refs.yaml", "createAccount");

  test("requires its required members, and stays small", () => {
    expect(account.input["required"]).toEqual(["name", "owner"]);
    expect(JSON.stringify(account.input).length).toBeLessThan(100_000);
  });

  test("is checked three levels deep", () => {
    const inside = { name: "c", owner: { email: "c@example.com", manager: "nobody" } };
    const nested = { name: "b", owner: { email: "b@example.com" }, children: [inside] };
    const good = { name: "a", owner: { email: "a@example.com" }, parent: nested };
    expect(account.fits(good)).toBe(true);
    const bad = { ...good, parent: { ...nested, children: [{ ...inside, owner: {} }] } };
    expect(account.fits(bad)).toBe(false);
  });
});

describe("33-redos-pattern.yaml: hostile patterns", () => {
  const payment = inputOf("33-redos-pattern.yaml", "createPayment");
  const endless = `${"a".repeat(40)}!`;

  // A backtracking engine would not finish before the end of the test.
  test("that backtrack without end do not delay the check", () => {
    expect(payment.fits({ ref: endless, memo: "ok" })).toBe(false);
    expect(payment.fits({ ref: "aaa", memo: endless })).toBe(false);
    expect(payment.fits({ ref: "aaa", memo: "ok 1" })).toBe(true);
  });

  test("that are invalid are reported and omitted from the schema, and the call can be made", () => {
    const { problems } = importFile(pathOf("invalid", "33-redos-pattern.yaml"));
    const parameters = "/paths/~1payments/post/parameters";
    expect(problems.map(({ severity, pointer }) => [severity, pointer])).toEqual([
      ["warning", `${parameters}/1/schema/pattern`],
      ["warning", `${parameters}/2/schema/pattern`],
    ]);
    expect(payment.fits({ ref: "a", memo: "ok", bad: "([unclosed", pcre: "eur" })).toBe(true);
    expect(payment.input).not.toHaveProperty(["properties", "bad", "pattern"]);
  });
});

test("23-prototype-pollution.json: an action that does not exist is not found, regardless of inherited members", () => {
  const { api } = importFile(pathOf("invalid", "23-prototype-pollution.json"));
  const names = new Set(api?.operations.map(({ name }) => name));
  expect(names.has("toString")).toBe(true);
  expect(names.has("constructor") || names.has("valueOf")).toBe(false);
});
