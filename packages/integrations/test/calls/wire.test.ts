import { ActionError } from "@procedo/engine";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { call, operation, parameter } from "./operations.ts";
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

const connection = () => ({ baseUrl: `${server.origin}/v1` });

describe("a request follows the document", () => {
  test("method, path, query, headers and cookies, each where it belongs", async () => {
    const one = operation({
      method: "delete",
      path: "/customers/{id}/notes/{note}",
      inputs: [
        parameter("path", "id"),
        parameter("path", "note"),
        parameter("query", "reason"),
        parameter("query", "tags"),
        parameter("header", "X-Tenant"),
        parameter("cookie", "session"),
        parameter("cookie", "lang"),
      ],
    });
    const args = {
      id: "c/1",
      note: 7,
      reason: "a b&c",
      tags: ["x", "y"],
      "X-Tenant": "t1",
      session: "s;1",
      lang: "de",
    };
    await call(one, args, connection());
    const sent = server.last();
    expect(sent.method).toBe("DELETE");
    expect(sent.target).toBe("/v1/customers/c%2F1/notes/7?reason=a%20b%26c&tags=x&tags=y");
    expect(sent.query).toEqual([
      ["reason", "a b&c"],
      ["tags", "x"],
      ["tags", "y"],
    ]);
    expect(headerOf(sent, "x-tenant")).toEqual(["t1"]);
    expect(headerOf(sent, "cookie")).toEqual(["session=s%3B1; lang=de"]);
    expect(sent.body.byteLength).toBe(0);
  });

  test("the document's cookies are combined with a cookie credential", async () => {
    const one = operation({ inputs: [parameter("cookie", "lang"), parameter("header", "Cookie")] });
    const authentication = { method: "api_key_header", header: "Cookie" } as const;
    const credentials = { authentication, secrets: { apiKey: "session=s1" } };
    await call(one, { lang: "de", Cookie: "a=1" }, { ...connection(), ...credentials });
    expect(headerOf(server.last(), "cookie")).toEqual(["a=1; lang=de; session=s1"]);
  });

  test.each(["get", "put", "post", "delete", "options", "head", "patch"] as const)("method %s", async (method) => {
    await call(operation({ method }), {}, connection());
    expect(server.last().method).toBe(method.toUpperCase());
  });

  test("the query has the document's order, not that of the arguments", async () => {
    const one = operation({ inputs: [parameter("query", "b"), parameter("query", "a")] });
    await call(one, { a: 1, b: 2 }, connection());
    expect(server.last().target).toBe("/v1/it?b=2&a=1");
  });

  test("an input with another name than its parameter is sent under the parameter's name", async () => {
    const inputs = [
      { ...parameter("path", "id"), input: "id_path" },
      { ...parameter("query", "id"), input: "id_query" },
    ];
    await call(operation({ path: "/it/{id}", inputs }), { id_path: 1, id_query: 2 }, connection());
    expect(server.last().target).toBe("/v1/it/1?id=2");
  });

  test.each([
    ["/v1", "/v1/it"],
    ["/v1/", "/v1/it"],
    ["", "/it"],
    ["/", "/it"],
    ["/a%20b/c", "/a%20b/c/it"],
  ])("paths are below the base URL: %j", async (base, target) => {
    await call(operation(), {}, { baseUrl: server.origin + base });
    expect(server.last().target).toBe(target);
  });

  test("a parameter with content is written as that content", async () => {
    const content = { kind: "content", mediaType: "application/json" } as const;
    const inputs = (["query", "header", "path", "cookie"] as const).map((place) => ({
      ...parameter(place, place),
      encoding: content,
    }));
    const value = { a: [1, "x y"], b: null };
    const args = { query: value, header: value, path: ["x"], cookie: "z" };
    await call(operation({ path: "/it/{path}", inputs }), args, connection());
    const sent = server.last();
    expect(sent.query).toEqual([["query", JSON.stringify(value)]]);
    expect(headerOf(sent, "header")).toEqual([JSON.stringify(value)]);
    expect(decodeURIComponent(sent.path)).toBe('/v1/it/["x"]');
    expect(headerOf(sent, "cookie")).toEqual(["cookie=%22z%22"]);
  });

  test("large integers, decimals and booleans keep their digits", async () => {
    const inputs = ["int", "dec", "yes", "text"].map((name) => parameter("query", name));
    const args = { int: 9_007_199_254_740_991, dec: 0.1, yes: true, text: "12345678901234567890.50" };
    await call(operation({ inputs }), args, connection());
    expect(server.last().target).toBe("/v1/it?int=9007199254740991&dec=0.1&yes=true&text=12345678901234567890.50");
  });
});

describe("values of headers, queries and cookies stay where they are (O-02)", () => {
  const hostile = ["a\r\nX-Evil: 1", "a\nb", "a\rb", "a\0b", "a\u007fb", "日本", "🙂", "a\u2028b"];

  test.each(hostile)("%j in a header is rejected before anything is sent, with the parameter's name", async (value) => {
    const one = operation({ inputs: [parameter("header", "X-Ref")] });
    await expect(call(one, { "X-Ref": value }, connection())).rejects.toMatchObject({
      code: "invalid_input",
      sent: "no",
      message: expect.stringMatching(/"X-Ref"/) as string,
    });
    expect(server.requests).toEqual([]);
  });

  test("Latin-1 in a header arrives unchanged", async () => {
    await call(operation({ inputs: [parameter("header", "X-Ref")] }), { "X-Ref": "Zürich\t1" }, connection());
    expect(headerOf(server.last(), "x-ref")).toEqual(["Zürich\t1"]);
  });

  test.each([...hostile, "a&b=c", "a;b", "a#b", "%0d%0a", "+", "é"])(
    "%j in a query and a cookie is encoded",
    async (value) => {
      const one = operation({
        inputs: [parameter("query", "q"), parameter("cookie", "c"), parameter("query", "after")],
      });
      await call(one, { q: value, c: value, after: 1 }, connection());
      const sent = server.last();
      expect(sent.query).toEqual([
        ["q", value],
        ["after", "1"],
      ]);
      expect(headerOf(sent, "cookie")).toEqual([`c=${encodeURIComponent(value)}`]);
      expect(headerOf(sent, "x-evil")).toEqual([]);
    },
  );

  test.each(["Host", "content-length", "Transfer-Encoding", "Connection", "Proxy-Authorization"])(
    "the header %s cannot be given",
    async (name) => {
      const one = operation({ inputs: [parameter("header", name)] });
      await expect(call(one, { [name]: "1" }, connection())).rejects.toMatchObject({
        code: "invalid_input",
        sent: "no",
      });
      await call(one, {}, connection());
      expect(server.requests).toHaveLength(1);
    },
  );

  test("an invalid header name is rejected", async () => {
    const one = operation({ inputs: [parameter("header", "a b")] });
    await expect(call(one, { "a b": "1" }, connection())).rejects.toMatchObject({ code: "invalid_input" });
  });
});

describe("the five methods of authentication, on every request", () => {
  const secrets = { apiKey: "k&y ü/1", token: "t0k.en~+/=", user: "Zoë", password: "p:ä ss" };

  test("API key in a header", async () => {
    const keyed = {
      ...connection(),
      authentication: { method: "api_key_header", header: "X-Api-Key" },
      secrets,
    } as const;
    await call(operation(), {}, keyed);
    const sent = server.last();
    expect(headerOf(sent, "x-api-key")).toEqual(["k&y ü/1"]);
    expect(headerOf(sent, "authorization")).toEqual([]);
  });

  test("API key in the query, encoded, after the operation's own parameters", async () => {
    const keyed = {
      ...connection(),
      authentication: { method: "api_key_query", parameter: "api key" },
      secrets,
    } as const;
    await call(operation({ inputs: [parameter("query", "a")] }), { a: 1 }, keyed);
    const sent = server.last();
    expect(sent.target).toBe("/v1/it?a=1&api%20key=k%26y%20%C3%BC%2F1");
    expect(sent.query).toEqual([
      ["a", "1"],
      ["api key", "k&y ü/1"],
    ]);
  });

  test("bearer token", async () => {
    await call(operation(), {}, { ...connection(), authentication: { method: "bearer_token" }, secrets });
    expect(headerOf(server.last(), "authorization")).toEqual(["Bearer t0k.en~+/="]);
  });

  test("Basic, with user and password in UTF-8", async () => {
    await call(operation(), {}, { ...connection(), authentication: { method: "basic_auth" }, secrets });
    const [value = ""] = headerOf(server.last(), "authorization");
    expect(value.startsWith("Basic ")).toBe(true);
    expect(Buffer.from(value.slice("Basic ".length), "base64").toString("utf8")).toBe("Zoë:p:ä ss");
  });

  test("none", async () => {
    await call(operation(), {}, { ...connection(), secrets });
    const sent = server.last();
    expect(headerOf(sent, "authorization")).toEqual([]);
    expect(sent.target).toBe("/v1/it");
  });

  test("no argument can replace a credential", async () => {
    const inHeader = { method: "api_key_header", header: "X-Api-Key" } as const;
    const header = operation({ inputs: [parameter("header", "x-api-key")] });
    await call(header, { "x-api-key": "mine" }, { ...connection(), authentication: inHeader, secrets });
    expect(headerOf(server.last(), "x-api-key")).toEqual(["k&y ü/1"]);
    const inQuery = { method: "api_key_query", parameter: "key" } as const;
    const query = operation({ inputs: [parameter("query", "filter")] });
    const smuggled = call(query, { filter: { key: "mine" } }, { ...connection(), authentication: inQuery, secrets });
    await expect(smuggled).rejects.toMatchObject({ code: "invalid_input", sent: "no" });
    expect(server.requests).toEqual([]);
  });

  test("no credential is recorded in any form", async () => {
    const short = { apiKey: "k1", token: "t1", user: "u", password: "p" };
    for (const authentication of [
      { method: "api_key_header", header: "X-Api-Key" },
      { method: "api_key_query", parameter: "key" },
      { method: "bearer_token" },
      { method: "basic_auth" },
    ] as const) {
      const { exchange } = await call(operation(), {}, { ...connection(), authentication, secrets: short });
      const recorded = JSON.stringify(exchange);
      expect(recorded).toContain("[redacted]");
      for (const form of ["k1", "t1", Buffer.from("u:p").toString("base64")]) expect(recorded).not.toContain(form);
    }
  });

  test("nothing is sent to the target of a redirect", async () => {
    const other = await recordingServer();
    server.answers = [{ status: 307, headers: { location: `${other.origin}/x` } }];
    const redirected = call(operation(), {}, { ...connection(), authentication: { method: "bearer_token" }, secrets });
    await expect(redirected).rejects.toBeInstanceOf(ActionError);
    expect(other.requests).toEqual([]);
    await other.close();
  });
});

describe("the idempotency key", () => {
  test("is sent in the connection's header, except for reads", async () => {
    const keyed = { ...connection(), idempotencyHeader: "Idempotency-Key" };
    for (const effect of ["once", "idempotent"] as const) {
      await call(operation({ method: "post", effect }), {}, keyed, "call-7");
      expect(headerOf(server.last(), "idempotency-key")).toEqual(["call-7"]);
    }
    await call(operation(), {}, keyed, "call-7");
    expect(headerOf(server.last(), "idempotency-key")).toEqual([]);
  });
});
