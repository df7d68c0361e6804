import type { JsonObject, JsonValue } from "@procedo/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { answers, onlyOperation, openApi, problemsOf, swagger, takes } from "../openapi/documents.ts";
import { call } from "./operations.ts";
import { headerOf, recordingServer, type RecordingServer } from "./recording-server.ts";

let server: RecordingServer;
beforeAll(async () => {
  server = await recordingServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.splice(0);
});

const file: JsonObject = { type: "string", format: "binary" };
const link: JsonObject = { type: "string", format: "uri" };
const url = "https://files.example.com/a.pdf";
const scan = { base64: "AP8=", filename: "scan.png", contentType: "image/png" };
const sentScan = ["scan", "scan.png", "image/png", "00ff"];
/** The text `abc` as a file's content. */
const sentText = ["scan", "scan", "application/octet-stream", "616263"];

function posting(content: JsonObject, more: JsonObject = {}): string {
  return openApi({ "/files": { post: { operationId: "send", requestBody: { content }, responses: answers } } }, more);
}

const multipart = (schema: JsonValue, encoding: JsonObject = {}): JsonObject => ({
  "multipart/form-data": { schema, encoding },
});

/** A document whose multipart body has the member `scan`. */
const withScan = (scanSchema: JsonValue, encoding: JsonObject = {}): string =>
  posting(multipart({ type: "object", properties: { scan: scanSchema } }, encoding), {
    components: { schemas: { File: file, Link: link, Scan: { allOf: [{ $ref: "#/components/schemas/File" }] } } },
  });

type SentPart = readonly (string | undefined)[];

/** Name, file name, type and bytes of each part, or name and text of a plain one. Throws for invalid arguments. */
async function partsSent(text: string, args: JsonObject): Promise<readonly SentPart[]> {
  const operation = onlyOperation(text);
  expect(takes(operation, args)).toBe(true);
  await call(operation, args, { baseUrl: server.origin });
  const sent = server.last();
  const form = await new Response(sent.body, {
    headers: { "content-type": headerOf(sent, "content-type")[0] ?? "" },
  }).formData();
  return Promise.all(
    [...form].map(async ([name, value]) => {
      if (typeof value === "string") return [name, value];
      return [name, value.name, value.type, Buffer.from(await value.arrayBuffer()).toString("hex")];
    }),
  );
}

describe("a file is a file", () => {
  test.each<[string, JsonValue, JsonObject?]>([
    ["as it is written in OpenAPI 3.0", file],
    ["when nullable", { ...file, nullable: true }],
    ["when null is one of its types", { type: ["string", "null"], format: "binary" }],
    ["when null is an alternative", { oneOf: [file, { type: "null" }] }],
    ["without a type", { format: "binary" }],
    ["by a reference", { $ref: "#/components/schemas/File" }],
    ["in allOf", { allOf: [{ $ref: "#/components/schemas/File" }], description: "The scan." }],
    ["in allOf that is nullable", { allOf: [{ $ref: "#/components/schemas/File" }], nullable: true }],
    ["by a reference to an allOf", { allOf: [{ $ref: "#/components/schemas/Scan" }, { title: "Scan" }] }],
    ["as one of two kinds of files", { anyOf: [file, { $ref: "#/components/schemas/Scan" }] }],
    ["by its content", { type: "string", contentMediaType: "image/png" }],
    ["by the content type of its part", { type: "string" }, { scan: { contentType: "image/png, image/jpeg" } }],
  ])("%s", async (_, schema, encoding) => {
    const text = withScan(schema, encoding);
    expect(await partsSent(text, { scan })).toEqual([sentScan]);
    expect(await partsSent(text, { scan: "abc" })).toEqual([sentText]);
    const operation = onlyOperation(text);
    expect(takes(operation, { scan: 5 })).toBe(false);
    expect(takes(operation, { scan: { bytes: "AP8=" } })).toBe(false);
  });

  test.each<[string, JsonValue]>([
    ["list", { type: "array", items: file, maxItems: 2 }],
    ["nullable list", { type: "array", items: file, maxItems: 2, nullable: true }],
    ["list of nullable files", { type: "array", items: { ...file, nullable: true }, maxItems: 2 }],
    ["list by a reference", { allOf: [{ type: "array", items: { $ref: "#/components/schemas/Scan" }, maxItems: 2 }] }],
    ["file or a list", { oneOf: [file, { type: "array", items: file, maxItems: 2 }] }],
  ])("in a %s", async (_, schema) => {
    const text = withScan(schema);
    expect(await partsSent(text, { scan: [scan, "abc"] })).toEqual([sentScan, sentText]);
    expect(takes(onlyOperation(text), { scan: [scan, scan, scan] })).toBe(false);
  });

  test("that is null is left out when the document accepts null", async () => {
    const nullable = withScan({ allOf: [{ $ref: "#/components/schemas/File" }], nullable: true });
    expect(await partsSent(nullable, { scan: null })).toEqual([]);
    expect(takes(onlyOperation(withScan(file)), { scan: null })).toBe(false);
    const items = withScan({ type: "array", items: { ...file, nullable: true } });
    expect(await partsSent(items, { scan: [null, scan] })).toEqual([sentScan]);
  });

  test("in a form of Swagger 2.0, in every notation", async () => {
    const document = (parameter: JsonObject) =>
      swagger({
        "/files": {
          post: {
            consumes: ["application/x-www-form-urlencoded"],
            parameters: [{ name: "scan", in: "formData", ...parameter }],
            responses: answers,
          },
        },
      });
    const words = [{ type: "file" }, file, { type: "file", "x-nullable": true }, { schema: { type: "file" } }];
    for (const parameter of [...words, { format: "binary" }]) {
      expect(await partsSent(document(parameter), { scan })).toEqual([sentScan]);
    }
    const list = document({ type: "array", items: { type: "file" }, collectionFormat: "multi" });
    expect(await partsSent(list, { scan: [scan, "abc"] })).toEqual([sentScan, sentText]);
  });

  test("in a body offered as both multipart and a URL-encoded form", async () => {
    const schema = { type: "object", properties: { scan: file } };
    const text = posting({ "application/x-www-form-urlencoded": { schema }, ...multipart(schema) });
    expect(await partsSent(text, { scan })).toEqual([sentScan]);
    const faulty = posting({ "application/x-www-form-urlencoded": { schema }, "multipart/form-data": { schema: [] } });
    expect(onlyOperation(faulty).body?.mediaType).toBe("application/x-www-form-urlencoded");
    const plain = { type: "object", properties: { scan: { type: "string" } } };
    const form = posting({ "application/x-www-form-urlencoded": { schema: plain }, ...multipart(plain) });
    expect(onlyOperation(form).body?.mediaType).toBe("application/x-www-form-urlencoded");
  });

  test("in a body also offered as JSON, which cannot carry a file", async () => {
    const schema = { type: "object", required: ["scan"], properties: { scan: file, title: { type: "string" } } };
    const text = posting({ "application/json": { schema }, ...multipart(schema) });
    expect(await partsSent(text, { scan, title: "a" })).toEqual([sentScan, ["title", "a"]]);
    const base64 = { type: "object", properties: { scan: { type: "string" } } };
    const json = posting({ "application/json": { schema: base64 }, ...multipart(schema) });
    expect(onlyOperation(json).body?.mediaType).toBe("application/json");
    const whole = posting({ "application/json": { schema: file }, ...multipart(schema) });
    expect(await partsSent(whole, { scan })).toEqual([sentScan]);
    const alone = posting({ "application/json": { schema } });
    expect(takes(onlyOperation(alone), { scan: "abc" })).toBe(true);
    expect(takes(onlyOperation(alone), { scan })).toBe(false);
  });

  test.each<[string, JsonValue, JsonValue, readonly SentPart[]]>([
    ["a file", file, scan, [sentScan]],
    ["a list of files", { type: "array", items: file }, [scan, "abc"], [sentScan, sentText]],
    ["a text", { type: "string" }, "abc", [["scan", "abc"]]],
  ])("as the whole multipart body: %s under the name from the call", async (_, schema, value, sent) => {
    const text = posting(multipart(schema));
    expect(await partsSent(text, { scan: value })).toEqual(sent);
    expect(takes(onlyOperation(text), { scan: 5 })).toBe(false);
    expect(problemsOf(text)).toMatchObject([
      { severity: "warning", message: expect.stringContaining("a member with its own name") as string },
    ]);
  });

  test("because of the type of an office document, whose name contains xml", async () => {
    const office = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    const text = withScan({ type: "string" }, { scan: { contentType: office } });
    expect(await partsSent(text, { scan: { base64: "AP8=" } })).toEqual([["scan", "scan", office, "00ff"]]);
    expect(await partsSent(withScan({ type: "string", contentMediaType: office }), { scan })).toEqual([sentScan]);
  });

  test("under any name when the document names none", async () => {
    const schema = { type: "object", properties: { note: { type: "string" } }, additionalProperties: file };
    const text = posting(multipart(schema));
    expect(await partsSent(text, { scan, note: "abc" })).toEqual([sentScan, ["note", "abc"]]);
    expect(await partsSent(text, { scan: "abc" })).toEqual([sentText]);
    expect(takes(onlyOperation(text), { scan: 5 })).toBe(false);
  });

  test.each(["text/csv", "text/xml"])("as a whole body of %s", async (mediaType) => {
    const operation = onlyOperation(posting({ [mediaType]: { schema: file } }));
    for (const body of [{ base64: "AP8=" }, "abc"]) {
      expect(takes(operation, { body })).toBe(true);
      await call(operation, { body }, { baseUrl: server.origin });
      const sent = server.last();
      expect(headerOf(sent, "content-type")).toEqual([mediaType]);
      expect(sent.body.toString("hex")).toBe(typeof body === "string" ? "616263" : "00ff");
    }
  });
});

describe("a file of any media type", () => {
  const ofSwagger = (consumes: readonly string[]): string => {
    const body = { name: "body", in: "body", schema: file };
    return swagger({ "/files": { post: { operationId: "send", consumes, parameters: [body], responses: answers } } });
  };
  test.each<[string, string]>([
    ["*/* of OpenAPI 3.0", posting({ "*/*": { schema: file } })],
    ["application/* of OpenAPI 3.0, nullable", posting({ "application/*": { schema: { ...file, nullable: true } } })],
    ["*/* of Swagger 2.0", ofSwagger(["*/*"])],
    ["none that Swagger 2.0 names", ofSwagger([])],
  ])("is sent as bytes with its own type: %s", async (_, text) => {
    const operation = onlyOperation(text);
    for (const [body, type, hex] of [
      [scan, "image/png", "00ff"],
      ["abc", "application/octet-stream", "616263"],
    ] as const) {
      expect(takes(operation, { body })).toBe(true);
      await call(operation, { body }, { baseUrl: server.origin });
      const sent = server.last();
      expect(headerOf(sent, "content-type")).toEqual([type]);
      expect(sent.body.toString("hex")).toBe(hex);
    }
  });

  test("is a JSON text when the document names JSON alone", async () => {
    const operation = onlyOperation(posting({ "application/json": { schema: file } }));
    await call(operation, { body: "abc" }, { baseUrl: server.origin });
    expect(server.last().body.toString()).toBe('"abc"');
  });
});

describe("a file beside a link", () => {
  test.each<[string, JsonValue]>([
    ["in oneOf", { oneOf: [file, link] }],
    [
      "in anyOf, by references",
      { anyOf: [{ $ref: "#/components/schemas/Link" }, { $ref: "#/components/schemas/Scan" }] },
    ],
    ["that is nullable", { oneOf: [file, link], nullable: true }],
    ["that has both under one type", { type: "string", oneOf: [{ format: "binary" }, { format: "uri" }] }],
  ])("%s is sent as bytes; a text is the link", async (_, schema) => {
    const text = withScan(schema, { scan: { contentType: "image/png" } });
    expect(await partsSent(text, { scan })).toEqual([sentScan]);
    expect(await partsSent(text, { scan: url })).toEqual([["scan", url]]);
    await partsSent(text, { scan: url });
    expect(server.requests).toEqual([]);
    expect(takes(onlyOperation(text), { scan: "no link" })).toBe(false);
  });

  test("is sent without the type of the file", async () => {
    const operation = onlyOperation(withScan({ oneOf: [file, link] }, { scan: { contentType: "image/png" } }));
    await call(operation, { scan: url }, { baseUrl: server.origin });
    expect(server.last().body.toString()).toContain(`name="scan"\r\n\r\n${url}\r\n`);
  });

  test("may be a list of both", async () => {
    const text = withScan({ type: "array", items: { oneOf: [file, link] } });
    expect(await partsSent(text, { scan: [scan, url] })).toEqual([sentScan, ["scan", url]]);
  });

  test("may be an object instead of a link", async () => {
    const described = { type: "object", required: ["id"], properties: { id: { type: "string" } } };
    const text = withScan({ oneOf: [file, described] });
    expect(await partsSent(text, { scan })).toEqual([sentScan]);
    expect(await partsSent(text, { scan: { id: "f-1" } })).toEqual([["scan", '{"id":"f-1"}']]);
    expect(takes(onlyOperation(text), { scan: "abc" })).toBe(false);
  });
});

describe("alternatives of the whole body", () => {
  const upload: JsonObject = {
    type: "object",
    required: ["scan"],
    properties: { scan: file, title: { type: "string" } },
    additionalProperties: false,
  };
  const remote: JsonObject = {
    type: "object",
    required: ["url"],
    properties: { url: link },
    additionalProperties: false,
  };

  test.each(["oneOf", "anyOf"])("of %s accept a file in their own member", async (keyword) => {
    const text = posting(multipart({ [keyword]: [upload, remote] }));
    expect(await partsSent(text, { scan, title: "a" })).toEqual([sentScan, ["title", "a"]]);
    expect(await partsSent(text, { scan: "abc" })).toEqual([sentText]);
    expect(await partsSent(text, { url })).toEqual([["url", url]]);
    expect(takes(onlyOperation(text), { title: "a" })).toBe(false);
  });

  test("may give a file and a link the same name: a text is the link in both", async () => {
    const text = posting(
      multipart({ oneOf: [upload, { type: "object", required: ["scan"], properties: { scan: link } }] }),
    );
    expect(await partsSent(text, { scan, title: "a" })).toEqual([sentScan, ["title", "a"]]);
    expect(await partsSent(text, { scan: url })).toEqual([["scan", url]]);
    expect(takes(onlyOperation(text), { scan: "no link" })).toBe(false);
  });

  test("are merged when they are parts of allOf", async () => {
    const text = posting(
      multipart({
        allOf: [{ type: "object", properties: { scan: { ...file, nullable: true } } }, { oneOf: [upload] }],
      }),
    );
    expect(await partsSent(text, { scan, title: "a" })).toEqual([sentScan, ["title", "a"]]);
  });
});

describe("a text is not a file", () => {
  test.each<[string, JsonValue, JsonObject?]>([
    ["without a format", { type: "string" }],
    ["as base64", { type: "string", format: "byte" }],
    ["that an encoding makes", { type: "string", contentMediaType: "image/png", contentEncoding: "base64" }],
    ["of a type of texts", { type: "string" }, { scan: { contentType: "text/csv" } }],
    ["of any type", { type: "string" }, { scan: { contentType: "*/*" } }],
    ["of listed values", { type: "string", enum: ["QUJD"] }, { scan: { contentType: "image/png" } }],
  ])("%s", async (_, schema, encoding) => {
    const text = withScan(schema, encoding);
    expect(problemsOf(text).filter(({ severity }) => severity === "error")).toEqual([]);
    expect(onlyOperation(text).body?.parts["scan"]?.binary).toBeUndefined();
    expect(takes(onlyOperation(text), { scan })).toBe(false);
    expect(takes(onlyOperation(text), { scan: "QUJD" })).toBe(true);
  });
});

test("an empty encoding is ignored, and its content types may be a list", async () => {
  const schema = { type: "object", properties: { scan: { type: "string" } } };
  for (const encoding of [null, { scan: null }, { scan: { contentType: null } }] as unknown as JsonObject[]) {
    const text = posting({ "multipart/form-data": { schema, encoding } });
    expect(await partsSent(text, { scan: "abc" })).toEqual([["scan", "abc"]]);
    expect(problemsOf(text).every(({ severity }) => severity === "warning")).toBe(true);
  }
  const list = posting(multipart(schema, { scan: { contentType: ["image/png", "image/jpeg"] } }));
  expect(await partsSent(list, { scan })).toEqual([sentScan]);
});

test("an object with the style deepObject has one part per member", async () => {
  const link = { type: "object", properties: { create: { type: "boolean" }, metadata: { type: "object" } } };
  const schema = { type: "object", properties: { scan: file, link } };
  const deep = { style: "deepObject", explode: true };
  const text = posting(multipart(schema, { link: deep, scan: deep }));
  const args = { scan, link: { create: true, metadata: { order: "6735" } } };
  expect(await partsSent(text, args)).toEqual([sentScan, ["link[create]", "true"], ["link[metadata][order]", "6735"]]);
  for (const encoding of [{ style: "form" }, { style: "deepObject", contentType: "application/json" }]) {
    const plain = posting(multipart(schema, { link: encoding }));
    expect(await partsSent(plain, { link: { create: true } })).toEqual([["link", '{"create":true}']]);
  }
});
