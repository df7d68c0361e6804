import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "@procedo/contract";
import { answers, onlyOperation, openApi, posting, problemsOf, takes } from "./documents.ts";

const schemas: JsonObject = {
  Item: {
    type: "object",
    required: ["code"],
    properties: { code: { type: "string" }, count: { type: "integer", default: 1 } },
  },
  Currency: {
    type: "object",
    required: ["currency"],
    properties: { currency: { type: "string", minLength: 3, maxLength: 3 } },
  },
  Card: {
    type: "object",
    required: ["kind", "number"],
    properties: { kind: { type: "string" }, number: { type: "string" } },
  },
  Bank: {
    type: "object",
    required: ["kind", "iban"],
    properties: { kind: { type: "string" }, iban: { type: "string" } },
  },
  Method: {
    oneOf: [{ $ref: "#/components/schemas/Card" }, { $ref: "#/components/schemas/Bank" }],
    discriminator: { propertyName: "kind", mapping: { card: "#/components/schemas/Card", bank: "Bank" } },
  },
};
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const textOf = (schema: JsonValue): string => openApi({ "/x": posting(schema) }, { components: { schemas } });
const of = (schema: JsonValue) => onlyOperation(textOf(schema));

function ofContent(content: JsonObject, more: JsonObject = {}, method = "post") {
  const operation = { operationId: "create", requestBody: { content, ...more }, responses: answers };
  return openApi({ "/x": { [method]: operation } }, { components: { schemas } });
}

describe("a JSON body", () => {
  it("that is a list is the only input `body`", () => {
    const operation = of({ type: "array", minItems: 1, items: ref("Item") });
    expect(operation.inputs).toEqual([{ input: "body", in: "body", name: "", required: true }]);
    expect(operation.body).toMatchObject({ shape: "whole", mediaType: "application/json", open: false });
    expect(takes(operation, { body: [{ code: "a" }] })).toBe(true);
    for (const body of [[], [{}], {}, "a"]) expect(takes(operation, { body })).toBe(false);
    expect(takes(operation, {})).toBe(false);
  });

  it("that is an object has its members as inputs, with types, formats, enums, defaults and descriptions", () => {
    const properties: JsonObject = {
      amount: { type: "integer", format: "int64", minimum: 1, description: "In cents." },
      state: { type: "string", enum: ["open", "paid"], default: "open" },
      due: { type: "string", format: "date", deprecated: true },
    };
    const operation = of({ type: "object", required: ["amount"], properties });
    expect(operation.input).toEqual({
      type: "object",
      properties,
      required: ["amount"],
      additionalProperties: false,
    });
    expect(operation.inputs.map(({ input, required }) => [input, required])).toEqual([
      ["amount", true],
      ["state", false],
      ["due", false],
    ]);
  });

  it("with alternatives keeps them, with the discriminator's names", () => {
    const operation = of(ref("Method"));
    expect(operation.body?.shape).toBe("members");
    expect(takes(operation, { kind: "bank", iban: "DE02" })).toBe(true);
    expect(takes(operation, { kind: "card", number: "4" })).toBe(true);
    expect(takes(operation, { kind: "card" })).toBe(false);
    expect(takes(operation, { kind: "card", iban: "DE02" })).toBe(false);
  });

  it("of several parts has the members of all, and requires the members that any of them requires", () => {
    const amount: JsonObject = { type: "integer", format: "int64", minimum: 1 };
    const operation = of({
      allOf: [ref("Currency"), { type: "object", required: ["amount"], properties: { amount } }],
    });
    expect(takes(operation, { amount: 1, currency: "EUR" })).toBe(true);
    expect(takes(operation, { amount: 1 })).toBe(false);
    expect(takes(operation, { currency: "EUR" })).toBe(false);
    expect(takes(operation, { amount: 1, currency: "EU" })).toBe(false);
    expect(operation.input).toMatchObject({ properties: { amount, currency: { minLength: 3 } } });
  });

  it("has an input for a required member without a description", () => {
    const operation = of({ type: "object", required: ["amount", "memo"], properties: { amount: { type: "integer" } } });
    expect(operation.inputs.map(({ input, required }) => [input, required])).toEqual([
      ["amount", true],
      ["memo", true],
    ]);
    expect(takes(operation, { amount: 1, memo: ["any", 1] })).toBe(true);
    expect(takes(operation, { amount: 1 })).toBe(false);
    const either = of({ type: "object", properties: { a: {} }, anyOf: [{ required: ["a"] }, { required: ["b"] }] });
    expect([{ a: 1 }, { b: 1 }, {}].map((args) => takes(either, args))).toEqual([true, true, false]);
  });

  it("is open when other schemas extend it with a discriminator", () => {
    const Event = {
      type: "object",
      required: ["kind"],
      properties: { kind: { type: "string" } },
      discriminator: { propertyName: "kind" },
    };
    const Paid = { allOf: [ref("Event"), { type: "object", properties: { amount: { type: "integer" } } }] };
    const more = { components: { schemas: { Event, Paid } } };
    const opened = (schema: JsonObject) => onlyOperation(openApi({ "/events": posting(schema) }, more));
    const paid = { kind: "paid", amount: 1 };
    const wrapped = { allOf: [ref("Event")], description: "What happened." };
    expect([ref("Event"), wrapped].map((schema) => takes(opened(schema), paid))).toEqual([true, true]);
    expect(opened(ref("Event")).body?.open).toBe(true);
    expect([paid, { ...paid, other: 1 }].map((args) => takes(opened(ref("Paid")), args))).toEqual([true, false]);
  });

  it("omits read-only members, required or not, and keeps write-only ones", () => {
    const properties = {
      id: { type: "string", readOnly: true },
      name: { type: "string" },
      pin: { type: "string", writeOnly: true },
    };
    const operation = of({ type: "object", required: ["id", "name", "pin"], properties });
    expect(operation.inputs.map(({ input }) => input)).toEqual(["name", "pin"]);
    expect(takes(operation, { name: "a", pin: "1" })).toBe(true);
  });

  it("translates OpenAPI keywords that differ from JSON Schema", () => {
    const operation = of({
      type: "object",
      required: ["memo"],
      properties: {
        memo: { type: "string", nullable: true },
        kind: { type: "string", enum: ["a", "b", null], nullable: true },
        rate: { type: "number", minimum: 0, exclusiveMinimum: true },
      },
    });
    expect(takes(operation, { memo: null })).toBe(true);
    expect(takes(operation, {})).toBe(false);
    expect(takes(operation, { memo: "", kind: null })).toBe(true);
    expect(takes(operation, { memo: "", kind: "c" })).toBe(false);
    expect(takes(operation, { memo: "", rate: 0 })).toBe(false);
    expect(takes(operation, { memo: "", rate: 0.1 })).toBe(true);
  });

  it("is open when its schema says so or names no members, otherwise closed", () => {
    const map = of({ type: "object", additionalProperties: { type: "integer" } });
    expect(map.body).toMatchObject({ shape: "members", open: true });
    expect(takes(map, { free: 1 })).toBe(true);
    expect(takes(map, { free: "1" })).toBe(false);
    expect(takes(of({ type: "object" }), { anything: [1] })).toBe(true);
    expect(takes(of({ type: "object", additionalProperties: true, properties: { a: {} } }), { b: 1 })).toBe(true);
    expect(takes(of({ type: "object", properties: { a: {} } }), { b: 1 })).toBe(false);
    expect(takes(of({ type: "object", additionalProperties: false }), { b: 1 })).toBe(false);
  });

  it("without a schema is one input that accepts any value", () => {
    const operation = onlyOperation(ofContent({ "application/json": {} }));
    expect(operation.inputs).toEqual([{ input: "body", in: "body", name: "", required: false }]);
    for (const body of [1, "a", null, [1], { a: 1 }]) expect(takes(operation, { body })).toBe(true);
  });

  it("that is optional still requires its required members", () => {
    const operation = onlyOperation(ofContent({ "application/json": { schema: ref("Item") } }));
    expect(operation.body?.required).toBe(false);
    expect(operation.inputs.map(({ input, required }) => [input, required])).toEqual([
      ["code", true],
      ["count", false],
    ]);
  });

  it("that refers to itself stays recursive, and is checked at every depth", () => {
    const account: JsonObject = {
      type: "object",
      required: ["name"],
      properties: {
        name: { type: "string" },
        parent: ref("Account"),
        children: { type: "array", items: ref("Account") },
      },
    };
    const operation = onlyOperation(
      openApi({ "/x": posting(ref("Account")) }, { components: { schemas: { Account: account } } }),
    );
    expect(takes(operation, { name: "a", parent: { name: "b", children: [{ name: "c" }] } })).toBe(true);
    expect(takes(operation, { name: "a", parent: { name: "b", children: [{ name: 1 }] } })).toBe(false);
    expect(JSON.stringify(operation.input).length).toBeLessThan(2_000);
  });
});

describe("a form", () => {
  const schema: JsonObject = {
    type: "object",
    required: ["amount"],
    properties: {
      amount: { type: "integer" },
      tags: { type: "array", items: { type: "string" } },
      meta: { type: "object" },
    },
  };

  it("lists the encodings of members that differ from the defaults", () => {
    const encoding = { tags: { style: "form", explode: false }, meta: { style: "deepObject", explode: true } };
    const operation = onlyOperation(ofContent({ "application/x-www-form-urlencoded": { schema, encoding } }));
    const style = { kind: "style", allowReserved: false };
    expect(operation.body).toEqual({
      required: false,
      mediaType: "application/x-www-form-urlencoded",
      shape: "members",
      open: false,
      parts: {
        tags: { encoding: { ...style, style: "form", explode: false } },
        meta: { encoding: { ...style, style: "deepObject", explode: true } },
      },
    });
  });

  it("with files accepts text or bytes for them, and marks their parts", () => {
    const properties = {
      file: { type: "string", format: "binary", description: "The scan." },
      more: { type: "array", items: { type: "string", format: "binary" } },
      info: { type: "object", properties: { a: { type: "string" } } },
    };
    const encoding = { info: { contentType: "application/json" }, file: { contentType: "image/png, image/jpeg" } };
    const operation = onlyOperation(
      ofContent({ "multipart/form-data": { schema: { type: "object", required: ["file"], properties }, encoding } }),
    );
    expect(operation.body?.parts).toEqual({
      file: { binary: true },
      more: { binary: true },
      info: { contentType: "application/json" },
    });
    expect(takes(operation, { file: "text" })).toBe(true);
    expect(takes(operation, { file: { base64: "AA==", filename: "a.png" }, more: ["x"], info: { a: "b" } })).toBe(true);
    expect(takes(operation, { file: { bytes: 1 } })).toBe(false);
    expect(operation.input).toMatchObject({ properties: { file: { description: "The scan." } } });
  });

  it("finds files behind references", () => {
    const components = { schemas: { File: { type: "string", format: "binary" } } };
    const content = { "multipart/form-data": { schema: { type: "object", properties: { file: ref("File") } } } };
    const operation = { operationId: "create", requestBody: { content }, responses: answers };
    expect(onlyOperation(openApi({ "/x": { post: operation } }, { components })).body?.parts).toEqual({
      file: { binary: true },
    });
  });

  it.each([
    [{ amount: "form" }, "amount"],
    [{ amount: { style: "matrix" } }, "amount/style"],
    [{ amount: { contentType: 1 } }, "amount/contentType"],
    ["deepObject", ""],
  ])("is rejected when its encoding is invalid: %j", (encoding, at) => {
    const content = { "application/x-www-form-urlencoded": { schema, encoding } };
    const pointer = "/paths/~1x/post/requestBody/content/application~1x-www-form-urlencoded/encoding";
    expect(problemsOf(ofContent(content))).toMatchObject([
      { severity: "error", pointer: at === "" ? pointer : `${pointer}/${at}` },
    ]);
  });

  it("accepts members of any name when its schema is not an object, with a warning", () => {
    const content = { "application/x-www-form-urlencoded": { schema: { type: "string" } } };
    const text = ofContent(content);
    expect(problemsOf(text)).toMatchObject([{ severity: "warning" }]);
    expect([takes(onlyOperation(text), { code: "a" }), takes(onlyOperation(text), { code: 1 })]).toEqual([true, false]);
  });
});

describe("a body of another kind", () => {
  it.each<[string, JsonObject | undefined, JsonValue[], JsonValue[]]>([
    ["text/plain", { type: "string", maxLength: 3 }, ["abc"], ["abcd", 1]],
    ["text/csv", undefined, ["a,b"], [1, {}]],
    ["text/plain", { type: "object", properties: { a: {} } }, ["a"], [{ a: 1 }]],
    ["application/octet-stream", { type: "string", format: "binary" }, ["a", { base64: "AA==" }], [1, {}]],
    ["image/png", undefined, ["a", { base64: "AA==" }], [1]],
    ["application/xml", ref("Item"), ["<item/>"], [{ code: "a" }]],
  ])("is the only input `body`: %s %j", (mediaType, schema, fitting, unfitting) => {
    const operation = onlyOperation(ofContent({ [mediaType]: schema === undefined ? {} : { schema } }));
    expect(operation.body).toMatchObject({ shape: "whole", mediaType });
    for (const body of fitting) expect(takes(operation, { body })).toBe(true);
    for (const body of unfitting) expect(takes(operation, { body })).toBe(false);
  });

  it("is JSON when there is a choice", () => {
    const line = { schema: ref("Item") };
    const content = { "application/xml": line, "application/vnd.acme+json": line, "application/json": line };
    expect(onlyOperation(ofContent(content)).body?.mediaType).toBe("application/json");
  });

  it("is missing when no media type is named", () => {
    const operation = onlyOperation(ofContent({}));
    expect(operation.body).toBeUndefined();
    expect(operation.inputs).toEqual([]);
  });

  it.each(["get", "head"])("is omitted from a %s request, with a warning if it had members", (method) => {
    const text = ofContent({ "application/json": { schema: ref("Item") } }, {}, method);
    expect(onlyOperation(text)).toMatchObject({ body: undefined, inputs: [] });
    expect(problemsOf(text)).toMatchObject([{ severity: "warning", pointer: `/paths/~1x/${method}/requestBody` }]);
    const empty = ofContent(
      { "application/x-www-form-urlencoded": { schema: { type: "object", properties: {} } } },
      {},
      method,
    );
    expect(problemsOf(empty)).toEqual([]);
    expect(onlyOperation(empty).body).toBeUndefined();
  });
});
