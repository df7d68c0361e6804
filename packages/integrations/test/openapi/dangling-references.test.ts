import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "@procedo/contract";
import { answers, imported, onlyOperation, openApi, posting, problemsOf, swagger, takes } from "./documents.ts";

const missing: JsonObject = { $ref: "#/components/schemas/Missing" };
const text: JsonObject = { type: "string" };
const object = (properties: JsonObject, ...required: string[]): JsonObject => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
});

/** A document with the operation and another one without a fault. */
const documentOf = (item: JsonObject, schemas: JsonObject = {}): string =>
  openApi({ "/x": item, "/fine": { get: { operationId: "fine", responses: answers } } }, { components: { schemas } });

const namesOf = (document: string): readonly string[] => imported(document).operations.map(({ name }) => name);
const toldOf = (document: string): readonly string[] =>
  problemsOf(document).map(({ severity, pointer, message }) => `${severity} ${pointer}: ${message}`);

const body = "/paths/~1x/post/requestBody/content/application~1json/schema";
const reason = '$ref "#/components/schemas/Missing" leads to nothing in the document; correct it.';

describe("a reference without a target in an optional part of the call", () => {
  it.each<[string, JsonObject, string]>([
    ["an optional member", object({ a: text, b: missing }, "a"), "/properties/b"],
    [
      "a required member of an optional one",
      object({ a: text, b: object({ c: missing }, "c") }, "a"),
      "/properties/b/properties/c",
    ],
    ["the items of a list", object({ a: text, b: { type: "array", items: missing } }, "a", "b"), "/properties/b/items"],
    [
      "members without names",
      object({ a: text, b: { type: "object", additionalProperties: missing } }, "a", "b"),
      "/properties/b/additionalProperties",
    ],
    [
      "one of several alternatives",
      object({ a: text, b: { oneOf: [text, missing] } }, "a", "b"),
      "/properties/b/oneOf/1",
    ],
    [
      "a required member that may be null",
      object({ a: text, b: { nullable: true, allOf: [missing] } }, "a", "b"),
      "/properties/b/allOf/0",
    ],
    [
      "an optional member in a part",
      { allOf: [object({ a: text }, "a"), object({ b: missing })] },
      "/allOf/1/properties/b",
    ],
  ])("accepts any value there, with a warning: %s", (_name, schema, at) => {
    const document = documentOf(posting(schema));
    expect(namesOf(document)).toEqual(["create", "fine"]);
    expect(toldOf(document)).toEqual([`warning ${body}${at}/$ref: ${reason} Any value is accepted here.`]);
    const [create] = imported(document).operations;
    for (const value of ["text", 7, [{ x: 1 }], { c: { d: null } }] as const) {
      const lists = at.endsWith("items") ? [value] : value;
      const fitting = at.endsWith("additionalProperties") ? { any: value } : at.endsWith("/c") ? { c: value } : lists;
      expect(create !== undefined && takes(create, { a: "x", b: fitting })).toBe(true);
    }
    expect(create !== undefined && takes(create, { a: 7 })).toBe(false);
  });

  it("is imported at any depth, with the other parts checked: an envelope of Swagger 2.0", () => {
    const definitions: JsonObject = {
      Envelope: object(
        { subject: text, recipients: { $ref: "#/definitions/Recipients" }, tabs: { $ref: "#/definitions/Tabs" } },
        "subject",
      ),
      Recipients: object({ signers: { type: "array", items: { $ref: "#/definitions/Signer" } } }),
      Signer: object({ email: text, tabs: { $ref: "#/definitions/Tabs" } }, "email"),
      Tabs: object({ comments: { type: "array", items: { $ref: "#/definitions/CommentTab" } } }),
    };
    const parameters = [{ name: "envelope", in: "body", required: true, schema: { $ref: "#/definitions/Envelope" } }];
    const envelopes = { operationId: "createEnvelope", parameters, responses: answers };
    const document = swagger(
      { "/envelopes": { post: envelopes, put: { ...envelopes, operationId: "b" } } },
      { definitions },
    );
    expect(toldOf(document)).toEqual([
      'warning /definitions/Tabs/properties/comments/items/$ref: $ref "#/definitions/CommentTab" leads to nothing in the document; correct it. Any value is accepted here.',
    ]);
    const [create, ...others] = imported(document).operations;
    expect(others).toHaveLength(1);
    const signer = (more: JsonObject): JsonObject => ({
      subject: "a",
      recipients: { signers: [{ email: "a@b", ...more }] },
    });
    expect(create !== undefined && takes(create, signer({ tabs: { comments: [{ any: 1 }] } }))).toBe(true);
    expect(create !== undefined && takes(create, signer({ tabs: { comments: "none" } }))).toBe(false);
    expect(create !== undefined && takes(create, signer({ email: 7 }))).toBe(false);
  });

  it("opens an optional body with an unknown part", () => {
    const requestBody = { content: { "application/json": { schema: { allOf: [missing, object({ a: text })] } } } };
    const [create] = imported(documentOf(posting({}, { requestBody }))).operations;
    expect(create !== undefined && takes(create, { a: "x", unknown: 1 })).toBe(true);
    expect(create !== undefined && takes(create, { a: 7 })).toBe(false);
  });

  it.each<[string, JsonObject, JsonObject]>([
    ["a required body", { allOf: [missing, object({ a: text }, "a")] }, { a: "x", unknown: 1 }],
    [
      "a required body with alternatives",
      { allOf: [missing], oneOf: [object({ a: text }, "a"), object({ b: text }, "b")] },
      { b: "x" },
    ],
    ["a required member", object({ m: { allOf: [missing, object({ a: text })] } }, "m"), { m: { a: "x", unknown: 1 } }],
    ["a required text", object({ m: { type: "string", allOf: [missing] } }, "m"), { m: "x" }],
    ["a required member of two parts", { allOf: [object({ m: missing }, "m"), object({ m: text })] }, { m: "x" }],
  ])("accepts any value for a part of %s that other parts describe", (_name, schema, fitting) => {
    const document = documentOf(posting(schema));
    expect(toldOf(document)).toEqual([expect.stringMatching(/^warning .*Any value is accepted here\.$/)]);
    const [create] = imported(document).operations;
    expect(create?.name).toBe("create");
    expect(create !== undefined && takes(create, fitting)).toBe(true);
    expect(create !== undefined && takes(create, { a: 7, m: { a: 7 } })).toBe(false);
  });

  it("allows an unknown alternative its own value of the distinguishing member", () => {
    const card = object({ kind: { type: "string", enum: ["card"] }, number: text }, "kind");
    const [create] = imported(documentOf(posting({ oneOf: [card, missing] }))).operations;
    expect(create !== undefined && takes(create, { kind: "sepa", iban: "DE" })).toBe(true);
    expect(create !== undefined && takes(create, { kind: "card", number: "4" })).toBe(true);
  });

  it("opens a body with an unknown alternative", () => {
    const [create] = imported(documentOf(posting({ oneOf: [object({ a: text }, "a"), missing] }))).operations;
    expect(create !== undefined && takes(create, { unknown: 1 })).toBe(true);
  });

  it.each(["application/json", "multipart/form-data", "text/plain"])(
    "takes anything for an optional body of %s whose schema is unknown",
    (mediaType) => {
      const requestBody = { content: { [mediaType]: { schema: missing } } };
      const [create] = imported(documentOf(posting({}, { requestBody }))).operations;
      expect(create !== undefined && takes(create, {})).toBe(true);
      expect(create?.input["required"]).toBeUndefined();
    },
  );

  it("accepts any value for an optional parameter", () => {
    const parameters = [
      { name: "a", in: "query", schema: missing },
      { name: "b", in: "query", content: { "application/json": { schema: missing } } },
    ];
    const document = openApi({ "/x": { get: { operationId: "x", parameters, responses: answers } } });
    expect(toldOf(document).map((reported) => reported.split(" ", 1)[0])).toEqual(["warning", "warning"]);
    expect(takes(onlyOperation(document), { a: "x", b: { c: 1 } })).toBe(true);
  });

  it("drops a negation instead of rejecting every value", () => {
    const schemas = { Deep: { allOf: [missing] } };
    for (const not of [missing, object({ c: missing }, "c"), { $ref: "#/components/schemas/Deep" }]) {
      const [create] = imported(documentOf(posting(object({ b: { type: "string", not } }, "b")), schemas)).operations;
      expect(create !== undefined && takes(create, { b: "x" })).toBe(true);
      expect(create !== undefined && takes(create, { b: 7 })).toBe(false);
    }
  });

  it("does not describe a response with an unknown schema", () => {
    const responses = { "200": { description: "ok", content: { "application/json": { schema: missing } } } };
    expect(onlyOperation(openApi({ "/x": { get: { operationId: "x", responses } } })).output).toBeUndefined();
  });

  it("does not refuse a GET for its body, which is never sent", () => {
    const requestBody = { required: true, content: { "application/json": { schema: missing } } };
    const document = openApi({ "/x": { get: { operationId: "x", requestBody, responses: answers } } });
    expect(onlyOperation(document).body).toBeUndefined();
  });
});

describe("a reference without a target in a required part of the call", () => {
  it.each<[string, JsonObject, string, string]>([
    ["the body", missing, "", "The body is required."],
    ["a required member", object({ b: missing }, "b"), "/properties/b", 'The body requires "b".'],
    [
      "a required member of a required one",
      object({ b: object({ c: missing }, "c") }, "b"),
      "/properties/b/properties/c",
      'The body requires "b.c".',
    ],
    [
      "a member that another part requires",
      { allOf: [object({ b: missing }), { required: ["b"] }] },
      "/allOf/0/properties/b",
      'The body requires "b".',
    ],
    [
      "the items of a list that must have some",
      object({ b: { type: "array", minItems: 1, items: missing } }, "b"),
      "/properties/b/items",
      'The body requires "b[]".',
    ],
    ["the items of such a body", { type: "array", minItems: 1, items: missing }, "/items", 'The body requires "[]".'],
    [
      "members without names, at least one of them required",
      object({ b: { type: "object", minProperties: 1, additionalProperties: missing } }, "b"),
      "/properties/b/additionalProperties",
      'The body requires "b.*".',
    ],
    [
      "the only part of the body that describes it",
      { allOf: [missing, { required: ["a"] }] },
      "/allOf/0",
      "The body is required.",
    ],
    [
      "a part of a required object without members",
      object({ b: { type: "object", allOf: [missing] } }, "b"),
      "/properties/b/allOf/0",
      'The body requires "b".',
    ],
    [
      "the only alternative",
      object({ b: { oneOf: [missing] } }, "b"),
      "/properties/b/oneOf/0",
      'The body requires "b".',
    ],
  ])("refuses the operation with the reason: %s", (_name, schema, at, why) => {
    const document = documentOf(posting(schema));
    expect(namesOf(document)).toEqual(["fine"]);
    expect(toldOf(document)).toEqual([`error ${body}${at}/$ref: ${reason} ${why}`]);
  });

  it("refuses the operations that need it, but no others that share the schema", () => {
    const schemas = {
      Payee: object({ iban: missing }, "iban"),
      Payment: object({ payee: { $ref: "#/components/schemas/Payee" } }),
    };
    const payee = { $ref: "#/components/schemas/Payee" };
    const document = openApi(
      {
        "/payees": posting(payee, { operationId: "createPayee" }),
        "/payments": posting({ $ref: "#/components/schemas/Payment" }, { operationId: "createPayment" }),
        "/transfers": posting(object({ payee }, "payee"), { operationId: "createTransfer" }),
      },
      { components: { schemas } },
    );
    expect(namesOf(document)).toEqual(["createPayment"]);
    const why = (reasons: string) =>
      `/components/schemas/Payee/properties/iban/$ref: ${reason} The body requires ${reasons}.`;
    expect(toldOf(document)).toEqual(
      expect.arrayContaining([
        `error ${why('"iban"')}`,
        `error ${why('"payee.iban"')}`,
        `error /paths/~1payees/post: POST /payees is not imported, because of ${why('"iban"')}`,
        `error /paths/~1transfers/post: POST /transfers is not imported, because of ${why('"payee.iban"')}`,
      ]),
    );
  });

  it("refuses an optional body's required member, because the action requires it", () => {
    const requestBody = { content: { "application/json": { schema: object({ b: missing }, "b") } } };
    expect(namesOf(documentOf(posting({}, { requestBody })))).toEqual(["fine"]);
  });

  it.each<[string, JsonValue, string]>([
    [
      "a required parameter",
      { name: "a", in: "query", required: true, schema: missing },
      'The query parameter "a" is required.',
    ],
    [
      "the items of a required list",
      { name: "a", in: "query", required: true, schema: { type: "array", minItems: 1, items: missing } },
      'The query parameter "a" requires "[]".',
    ],
    [
      "the content of a required parameter",
      { name: "a", in: "header", required: true, content: { "application/json": { schema: missing } } },
      'The header parameter "a" is required.',
    ],
    ["a parameter that nothing is known of", { $ref: "#/components/parameters/A" }, "The parameter may be required."],
  ])("refuses the operation with the reason: %s", (_name, parameter, why) => {
    const document = documentOf({ get: { operationId: "x", parameters: [parameter], responses: answers } });
    expect(namesOf(document)).toEqual(["fine"]);
    expect(toldOf(document)).toEqual([expect.stringMatching(/^error .*\$ref "#\/components.* leads to nothing/)]);
    expect(toldOf(document)[0]).toContain(why);
  });

  it("refuses a form's required list of them", () => {
    const item = { type: "array", minItems: 1, items: { $ref: "#/definitions/None" } };
    const form = (required: boolean) =>
      swagger({
        "/x": {
          post: {
            operationId: "x",
            parameters: [{ name: "f", in: "formData", required, ...item }],
            responses: answers,
          },
        },
      });
    expect(toldOf(form(true))[0]).toContain('The form parameter "f" requires "[]".');
    expect(takes(onlyOperation(form(false)), { f: ["a"] })).toBe(true);
  });
});

describe("a reference to a component that is not a schema", () => {
  it.each([
    ["a text", "#/info/title"],
    ["a list", "#/tags"],
    ["a response", "#/components/responses/Done"],
    ["a parameter", "#/components/parameters/Page"],
    ["an example", "#/components/examples/One"],
  ])("counts as missing: %s", (_kind, $ref) => {
    const more = {
      tags: [{ name: "a" }],
      components: {
        responses: { Done: { description: "done", content: {} } },
        parameters: { Page: { name: "page", in: "query", schema: text } },
        examples: { One: { value: 1 } },
      },
    };
    const item = (schema: JsonObject): JsonObject => ({ "/x": posting(schema) });
    const document = openApi(item(object({ b: { $ref } })), more);
    expect(takes(onlyOperation(document), { b: { any: 1 } })).toBe(true);
    expect(toldOf(document)).toEqual([
      expect.stringContaining(`$ref "${$ref}" leads to ${$ref.slice(1)}, which is not a schema`),
    ]);
    expect(toldOf(openApi(item(object({ b: { $ref } }, "b")), more))[0]).toMatch(/^error .* The body requires "b"\.$/);
  });
});
