import { describe, expect, it } from "vitest";
import type { JsonObject } from "@procedo/contract";
import { answers, imported, openApi, problemsOf } from "./documents.ts";

const secured = (securitySchemes: unknown, security?: unknown): string =>
  openApi(
    {
      "/x": {
        get: {
          operationId: "x",
          responses: answers,
          ...(security !== undefined && { security: security as JsonObject }),
        },
      },
    },
    { components: { securitySchemes: securitySchemes as JsonObject } },
  );

describe("security schemes", () => {
  it.each<[string, JsonObject]>([
    ["a key in a header", { type: "apiKey", in: "header", name: "X-Key" }],
    ["a key in the query", { type: "apiKey", in: "query", name: "key" }],
    ["a bearer token, however it is written", { type: "http", scheme: "Bearer", bearerFormat: "JWT" }],
    ["user and password", { type: "http", scheme: "basic" }],
  ])("that a connection supports are not a problem: %s", (_, scheme) => {
    expect(problemsOf(secured({ mine: scheme }, [{ mine: [] }]))).toEqual([]);
  });

  it.each<[string, JsonObject, string]>([
    ["a key in a cookie", { type: "apiKey", in: "cookie", name: "session" }, "cookie"],
    ["digest", { type: "http", scheme: "digest" }, "digest"],
    ["mutual TLS", { type: "mutualTLS" }, "mutualTLS"],
    ["nothing", {}, "nothing"],
    ["a missing component", { $ref: "#/components/securitySchemes/none" }, "$ref"],
  ])("that no connection supports are reported, and the operations imported: %s", (_, scheme, word) => {
    const text = secured({ mine: scheme }, [{ mine: [] }]);
    const [problem, ...more] = problemsOf(text);
    expect(more).toEqual([]);
    expect(problem?.severity).toBe("warning");
    expect(problem?.pointer).toContain("/components/securitySchemes/mine");
    expect(problem?.message).toContain(word);
    expect(imported(text).operations).toHaveLength(1);
  });

  it.each<[string, JsonObject]>([
    ["OAuth", { type: "oauth2", flows: {} }],
    ["OpenID Connect", { type: "openIdConnect", openIdConnectUrl: "https://id.example.com" }],
  ])("whose addresses the connection has to name are reported: %s", (_, scheme) => {
    expect(problemsOf(secured({ mine: scheme }, [{ mine: [] }]))).toMatchObject([
      { severity: "warning", message: expect.stringContaining("oauth2 or client_credentials") as string },
    ]);
  });

  it("without a declaration are reported where they are required", () => {
    expect(problemsOf(secured({}, [{ missing: [] }, {}, { constructor: [] }]))).toMatchObject([
      { severity: "warning", pointer: "/paths/~1x/get/security/0/missing" },
      { severity: "warning", pointer: "/paths/~1x/get/security/2/constructor" },
    ]);
  });

  it("do not matter to an operation without security: calls still carry the connection's credential", () => {
    expect(problemsOf(secured({ mine: { type: "http", scheme: "basic" } }, []))).toEqual([]);
  });

  it("that are not an object are reported", () => {
    expect(problemsOf(secured("basic"))).toMatchObject([
      { severity: "warning", pointer: "/components/securitySchemes" },
    ]);
  });
});
