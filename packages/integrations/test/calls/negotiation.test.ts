import type { JsonObject } from "@procedo/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { imported, onlyOperation, openApi, problemsOf, swagger, takes } from "../openapi/documents.ts";
import { call } from "./operations.ts";
import { headerOf, recordingServer, type RecordingServer } from "./recording-server.ts";

let server: RecordingServer;
beforeAll(async () => {
  server = await recordingServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.requests.splice(0);
  server.answers = [{ status: 204 }];
});

/** The negotiated headers of a document's only operation. */
async function sent(text: string, args: JsonObject = {}, headers?: Readonly<Record<string, string>>) {
  await call(onlyOperation(text), args, { baseUrl: server.origin, headers });
  const request = server.last();
  const only = (name: string) => headerOf(request, name).join(" AND ");
  return { accept: only("accept"), contentType: only("content-type"), body: request.body.toString("utf8"), request };
}

const user: JsonObject = { type: "object", required: ["name"], properties: { name: { type: "string" } } };
const posting = (content: JsonObject, responses: JsonObject = { "201": { description: "ok" } }): string =>
  openApi({ "/users": { post: { operationId: "create", requestBody: { required: true, content }, responses } } });
const answering = (responses: JsonObject): string => openApi({ "/users": { get: { operationId: "read", responses } } });
const answer = (...types: readonly string[]): JsonObject => ({
  description: "ok",
  content: Object.fromEntries(types.map((each) => [each, { schema: user }])),
});

describe("Accept", () => {
  test.each<[string, JsonObject, string]>([
    [
      "a version",
      { "200": answer("application/vnd.users+json;version=1.0") },
      "application/vnd.users+json;version=1.0, */*;q=0.5",
    ],
    ["no JSON", { "200": answer("text/csv") }, "text/csv, */*;q=0.5"],
    ["a range of statuses", { "2XX": answer("application/hal+json") }, "application/hal+json, */*;q=0.5"],
    ["`default` alone", { default: answer("application/vnd.x+json") }, "application/vnd.x+json, */*;q=0.5"],
    [
      "success and errors",
      { "200": answer("application/vnd.x+json"), default: answer("application/problem+json") },
      "application/vnd.x+json, application/problem+json;q=0.8, */*;q=0.5",
    ],
    [
      "two successes",
      { "202": answer("application/vnd.job+json"), "200": answer("application/vnd.user+json") },
      "application/vnd.user+json, application/vnd.job+json;q=0.9, */*;q=0.5",
    ],
    ["no content", { "204": { description: "none" } }, "application/json, */*;q=0.5"],
    ["an invalid media type", { "200": { description: "", content: { token: {} } } }, "application/json, */*;q=0.5"],
  ])("lists the types of the responses: %s", async (_name, responses, accept) => {
    expect((await sent(answering(responses))).accept).toBe(accept);
  });

  test("comes from Swagger 2.0's `produces` of the operation, or else of the document", async () => {
    const get = { operationId: "read", responses: { "200": { description: "ok", schema: user } } };
    const root = { produces: ["application/xml", "application/vnd.users+json;version=1.0"] };
    expect((await sent(swagger({ "/users": { get } }, root))).accept).toBe(
      "application/vnd.users+json;version=1.0, */*;q=0.5",
    );
    const own = { "/users": { get: { ...get, produces: ["text/csv"] } } };
    expect((await sent(swagger(own, root))).accept).toBe("text/csv, */*;q=0.5");
  });

  test("survives the transfer of a large document between threads", async () => {
    const { packApi, unpackApi } = await import("../../src/custom-api/packed-operations.ts");
    const api = imported(answering({ "200": answer("application/vnd.x+json") }));
    const [operation] = (await unpackApi(packApi(api))).operations;
    expect(operation).toMatchObject({ accept: "application/vnd.x+json, */*;q=0.5", answersJson: true });
  });
});

describe("Content-Type", () => {
  test.each([
    ["application/vnd.users+json;version=2.0", "application/vnd.users+json;version=2.0"],
    ["application/json; charset=utf-8", "application/json; charset=utf-8"],
    ["application/*+json", "application/json"],
    ["*/*", "application/json"],
    ["application/vnd.acme.v1.json", "application/vnd.acme.v1.json"],
    ["application/x-json", "application/x-json"],
    ["text/json", "text/json"],
    ["application/hal", "application/hal"],
    ["application/vnd.acme.user", "application/vnd.acme.user"],
  ])("for a body under %s is %s, and its members are inputs", async (written, contentType) => {
    const text = posting({ [written]: { schema: user } });
    expect(takes(onlyOperation(text), { name: "Ana" })).toBe(true);
    expect(takes(onlyOperation(text), {})).toBe(false);
    expect(await sent(text, { name: "Ana" })).toMatchObject({ contentType, body: '{"name":"Ana"}' });
  });

  test("for a list under a vendor's type is that type, and the list is JSON", async () => {
    const text = posting({ "application/vnd.acme.users": { schema: { type: "array", items: user } } });
    expect(await sent(text, { body: [{ name: "Ana" }] })).toMatchObject({
      contentType: "application/vnd.acme.users",
      body: '[{"name":"Ana"}]',
    });
  });

  test.each(["application/x-msgpack", "application/x-protobuf", "application/graphql", "application/text"])(
    "%s stays bytes",
    async (type) => {
      const text = posting({ [type]: { schema: user } });
      expect(await sent(text, { body: { base64: "aGk=" } })).toMatchObject({ contentType: type, body: "hi" });
    },
  );

  test("names the charset of the bytes", async () => {
    const [latin, utf16] = ["application/json;charset=ISO-8859-1", "application/json; charset=utf-16"];
    expect(await sent(posting({ [latin]: { schema: user } }), { name: "Zoë 🔑" })).toMatchObject({
      contentType: latin,
      body: '{"name":"Zo\\u00eb \\ud83d\\udd11"}',
    });
    expect(await sent(posting({ [utf16]: { schema: user } }), { name: "Zoë" })).toMatchObject({
      contentType: "application/json; charset=utf-8",
      body: '{"name":"Zo\\u00eb"}',
    });
    const form = "application/x-www-form-urlencoded; charset=ISO-8859-1";
    expect(await sent(posting({ [form]: { schema: user } }), { name: "Zoë" })).toMatchObject({
      contentType: "application/x-www-form-urlencoded; charset=utf-8",
      body: "name=Zo%C3%AB",
    });
    const plain = "text/plain; charset=iso-8859-1";
    expect(await sent(posting({ [plain]: { schema: { type: "string" } } }), { body: "Zoë" })).toMatchObject({
      contentType: "text/plain; charset=utf-8",
      body: "Zoë",
    });
  });

  test("of a multipart form has the boundary of its body, not the document's", async () => {
    const { contentType, body } = await sent(posting({ "multipart/form-data; boundary=AaB03x": { schema: user } }), {
      name: "Ana",
    });
    const [, boundary] = /^multipart\/form-data; boundary=(procedo-\w+)$/.exec(contentType) ?? [];
    expect(body.startsWith(`--${boundary}\r\n`)).toBe(true);
  });
});

describe("an answer that the document describes as JSON", () => {
  test.each<[string, string, boolean, boolean]>([
    ["application/json", "object", true, true],
    ["application/vnd.github.object", "object", true, true],
    ["application/hal", "array", true, true],
    ["text/plain", "object", true, true],
    ["text/plain", "string", false, false],
    ["application/xml", "object", false, false],
    ["text/csv", "array", false, false],
    ["application/octet-stream", "string", false, false],
  ])("is JSON under %s with a schema of type %s: %j", (mediaType, type, isJson, hasOutput) => {
    const schema = type === "array" ? { type, items: {} } : { type };
    const operation = onlyOperation(answering({ "200": { description: "", content: { [mediaType]: { schema } } } }));
    expect(operation.answersJson).toBe(isJson);
    expect(operation.output !== undefined).toBe(hasOutput);
  });

  test("is not JSON under plain text beside XML, to which the schema belongs", () => {
    expect(onlyOperation(answering({ "200": answer("text/plain", "application/xml") })).answersJson).toBe(false);
  });
});

describe("the headers Accept, Content-Type and Authorization of Swagger 2.0 are parameters", () => {
  const header = (name: string, more: JsonObject = {}): JsonObject => ({ name, in: "header", type: "string", ...more });
  const operation = (parameters: readonly JsonObject[], more: JsonObject = {}): string =>
    swagger({
      "/transfers": {
        post: {
          operationId: "transfer",
          parameters: [...parameters, { name: "body", in: "body", required: true, schema: user }],
          responses: { "202": { description: "ok" } },
          ...more,
        },
      },
    });
  const required = { required: true };
  const version = "application/vnd.interoperability.transfers+json;version=1.1";

  test("of an API that requires them", async () => {
    const text = operation([header("Accept", required), header("Content-Type", required), header("Authorization")]);
    const args = { name: "Ana", Accept: version, "Content-Type": version, Authorization: "Hawk id" };
    expect(takes(onlyOperation(text), args)).toBe(true);
    const { accept, contentType, body, request } = await sent(text, args);
    expect([accept, contentType, body]).toEqual([version, version, '{"name":"Ana"}']);
    expect(headerOf(request, "authorization")).toEqual(["Hawk id"]);
  });

  test("without an argument the default is sent", async () => {
    const text = operation([header("Accept"), header("Content-Type")], { produces: [version] });
    expect(await sent(text, { name: "Ana" })).toMatchObject({
      accept: `${version}, */*;q=0.5`,
      contentType: "application/json",
    });
  });

  test.each<[string, JsonObject, string]>([
    ["the default", { default: version }, version],
    ["the only value", { enum: [version] }, version],
    ["the only JSON", { enum: ["application/xml", version] }, version],
    ["JSON before an invalid default", { enum: ["application/xml", version], default: "application/xml" }, version],
    ["several in one header", { default: `${version}, text/csv` }, `${version}, text/csv`],
  ])("Accept is optional when the document has a default: %s", async (_name, said, accept) => {
    const text = operation([header("Accept", { ...required, ...said })]);
    expect(takes(onlyOperation(text), { name: "Ana" })).toBe(true);
    expect((await sent(text, { name: "Ana" })).accept).toBe(accept);
  });

  test("Accept and Content-Type are never required, and their descriptions state the default", async () => {
    const choice = { ...required, enum: ["application/vnd.a.v1+json", "application/vnd.a.v2+json"] };
    const accept = header("Accept", { ...choice, description: "The version." });
    const text = operation([accept, header("Content-Type", choice), header("Authorization", required)], {
      produces: ["application/vnd.a.v2+json"],
    });
    const one = onlyOperation(text);
    expect(one.input).toMatchObject({
      required: ["Authorization", "name"],
      properties: {
        Accept: {
          description: 'The version.\n\nIf omitted, "application/vnd.a.v2+json, */*;q=0.5" is sent.',
        },
        "Content-Type": { description: 'If omitted, "application/json" is sent.' },
      },
    });
    expect(await sent(text, { name: "Ana", Authorization: "Hawk id" })).toMatchObject({
      accept: "application/vnd.a.v2+json, */*;q=0.5",
      contentType: "application/json",
    });
  });

  test("a default that is invalid in a header is ignored", async () => {
    const broken = { ...required, default: "application/json;\r\nX-Other: 1" };
    const text = operation([header("Accept", broken), header("Content-Type", broken)]);
    expect(await sent(text, { name: "Ana" })).toMatchObject({
      accept: "application/json, */*;q=0.5",
      contentType: "application/json",
    });
  });

  test("may be one text instead of a list, and short names, with warnings", async () => {
    const text = operation([], { produces: "JSON; version=2", consumes: "form, application/vnd.a+json" });
    expect(await sent(text, { name: "Ana" })).toMatchObject({
      accept: "application/json; version=2, */*;q=0.5",
      contentType: "application/vnd.a+json",
    });
    expect(problemsOf(text)).toMatchObject([
      { severity: "warning", message: expect.stringMatching(/must be a list .* it is read as one/) as string },
      { severity: "warning", message: '"JSON; version=2" is read as "application/json; version=2".' },
      { severity: "warning", message: expect.stringMatching(/must be a list/) as string },
      { severity: "warning", message: '"form" is read as "application/x-www-form-urlencoded".' },
    ]);
  });

  test("Content-Type accepts only formats of the body", async () => {
    const choice = { ...required, enum: ["application/xml", "application/json", "application/vnd.acme+json"] };
    const one = onlyOperation(operation([header("Content-Type", { ...choice, default: "application/xml" })]));
    expect(takes(one, { name: "Ana", "Content-Type": "application/xml" })).toBe(false);
    expect(takes(one, { name: "Ana", "Content-Type": "application/vnd.acme+json" })).toBe(true);
    const only = operation([header("Content-Type", { ...required, enum: ["application/xml", version] })]);
    expect(await sent(only, { name: "Ana" })).toMatchObject({ contentType: version });
    const xml = operation([header("Content-Type", { ...required, enum: ["application/xml"] })]);
    expect(takes(onlyOperation(xml), { name: "Ana" })).toBe(true);
    expect(problemsOf(xml)).toMatchObject([{ severity: "warning" }]);
  });

  test("a Content-Type with another format than the body is rejected before anything is sent", async () => {
    const text = operation([header("Content-Type")]);
    const others = ["application/xml", "text/plain", "application/x-www-form-urlencoded", "nonsense"];
    for (const type of [...others, "application/json, application/xml"]) {
      await expect(sent(text, { name: "Ana", "Content-Type": type })).rejects.toThrow(
        `The argument "Content-Type" is "${type}", but the body is written as application/json.`,
      );
    }
    expect(server.requests).toEqual([]);
  });

  test("a form keeps the boundary of its body, and bytes have the given type", async () => {
    const form = (consumes: string, parameter: JsonObject): string =>
      swagger({
        "/files": {
          post: {
            consumes: [consumes],
            parameters: [header("Content-Type"), parameter],
            responses: { "200": { description: "" } },
          },
        },
      });
    const file = form("multipart/form-data", { name: "f", in: "formData", type: "string" });
    expect((await sent(file, { f: "a", "Content-Type": "multipart/form-data" })).contentType).toMatch(
      /; boundary=procedo-/,
    );
    const bytes = form("application/octet-stream", {
      name: "b",
      in: "body",
      schema: { type: "string", format: "binary" },
    });
    expect((await sent(bytes, { body: "hi", "Content-Type": "image/png" })).contentType).toBe("image/png");
  });

  test("a request without a body has the given Content-Type", async () => {
    const get = {
      operationId: "read",
      parameters: [header("content-type", required)],
      responses: { "200": { description: "" } },
    };
    expect((await sent(swagger({ "/x": { get } }), { "content-type": version })).contentType).toBe(version);
    expect((await sent(swagger({ "/x": { get } }))).contentType).toBe("application/json");
    expect((await sent(swagger({ "/x": { get } }, { consumes: [version] }))).contentType).toBe(version);
    const optional = { ...get, parameters: [header("content-type")] };
    expect((await sent(swagger({ "/x": { get: optional } }, { consumes: [version] }))).contentType).toBe("");
  });

  test("the connection's authentication takes precedence over an argument", async () => {
    const text = operation([header("Authorization", required)]);
    const authentication = { method: "bearer_token" } as const;
    const one = onlyOperation(text);
    const connection = { baseUrl: server.origin, authentication, secrets: { token: "t0ken-of-the-connection" } };
    await call(one, { name: "Ana", Authorization: "Bearer other" }, connection);
    expect(headerOf(server.last(), "authorization")).toEqual(["Bearer t0ken-of-the-connection"]);
  });

  test("a credential in an argument is not recorded when the service echoes it", async () => {
    const one = onlyOperation(operation([header("Authorization")]));
    const credential = "c2VjcmV0LW9mLWFuYQ";
    const args = { name: "Ana", Authorization: `Bearer ${credential}` };
    const json = { "content-type": "application/json" };
    server.answers = [{ headers: { ...json, "x-echo": credential }, body: JSON.stringify({ echo: credential }) }];
    const { output, exchange } = await call(one, args, { baseUrl: server.origin });
    expect(output).toEqual({ echo: "[redacted]" });
    expect(JSON.stringify(exchange?.response)).not.toContain(credential);
    expect(problemsOf(operation([header("Authorization")]))).toMatchObject([
      { severity: "warning", message: expect.stringContaining("part of the run's record") as string },
    ]);
  });

  test("at most 32 entries of a list are read, with a warning", async () => {
    const produces = Array.from({ length: 40 }, (_, index) => `text/x-${String(index).padStart(2, "0")}`);
    const text = operation([], { produces: [...produces, "application/json"] });
    expect((await sent(text, { name: "Ana" })).accept).toMatch(/^text\/x-00, .*text\/x-07;q=0.9, \*\/\*;q=0.5$/);
    expect(problemsOf(text)).toMatchObject([
      { severity: "warning", message: "has 41 media types; the first 32 are read." },
    ]);
  });

  test("but in OpenAPI 3.0 they are not, with any schema", async () => {
    const accept = { name: "Accept", in: "header", required: true, schema: { type: "string", enum: ["text/csv"] } };
    const get = { operationId: "read", parameters: [accept], responses: { "200": answer("application/json") } };
    const text = openApi({ "/users": { get } });
    expect(onlyOperation(text).inputs).toEqual([]);
    expect((await sent(text)).accept).toBe("application/json, */*;q=0.5");
  });
});

describe("a connection's own headers", () => {
  const json = { "application/json": { schema: user } };

  test("are sent with every request and recorded", async () => {
    const headers = { "Stripe-Version": "2022-11-15" };
    const { request } = await sent(posting(json), { name: "Ana" }, headers);
    expect(headerOf(request, "stripe-version")).toEqual(["2022-11-15"]);
    const { exchange } = await call(onlyOperation(answering({})), {}, { baseUrl: server.origin, headers });
    expect(exchange?.request.headers).toMatchObject({ "stripe-version": "2022-11-15" });
  });

  test("take precedence over the document, but not over an argument", async () => {
    const headers = { Accept: "text/csv", "x-tenant": "acme" };
    const accept = { name: "Accept", in: "header", type: "string", default: "application/json" };
    const tenant = { name: "X-Tenant", in: "header", type: "string" };
    const get = { operationId: "read", parameters: [accept, tenant], responses: { "200": { description: "" } } };
    const text = swagger({ "/x": { get } });
    const left = await sent(text, {}, headers);
    expect([left.accept, headerOf(left.request, "x-tenant")]).toEqual(["text/csv", ["acme"]]);
    const given = await sent(text, { Accept: "application/pdf", "X-Tenant": "other" }, headers);
    expect([given.accept, headerOf(given.request, "x-tenant")]).toEqual(["application/pdf", ["other"]]);
  });

  test("label a JSON body, and no other body", async () => {
    const headers = { "Content-Type": "application/vnd.api+json" };
    expect((await sent(posting(json), { name: "Ana" }, headers)).contentType).toBe("application/vnd.api+json");
    const form = posting({ "application/x-www-form-urlencoded": { schema: user } });
    expect((await sent(form, { name: "Ana" }, headers)).contentType).toBe("application/x-www-form-urlencoded");
    expect((await sent(answering({}), {}, headers)).contentType).toBe("application/vnd.api+json");
  });

  test("never replace the authentication or the idempotency key", async () => {
    const connection = {
      baseUrl: server.origin,
      authentication: { method: "bearer_token" } as const,
      secrets: { token: "t0ken-of-the-connection" },
      idempotencyHeader: "Idempotency-Key",
      headers: { authorization: "other", "idempotency-key": "other" },
    };
    await call(onlyOperation(posting(json)), { name: "Ana" }, connection);
    const request = server.last();
    expect(headerOf(request, "authorization")).toEqual(["Bearer t0ken-of-the-connection"]);
    expect(headerOf(request, "idempotency-key")).toEqual(["key-1"]);
  });
});
