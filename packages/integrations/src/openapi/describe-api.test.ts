import { describe, expect, it } from "vitest";
import { describeApi, describeProblems } from "./describe-api.ts";
import { importDocument } from "./import-document.ts";

const text = `openapi: 3.0.3
info: {title: Ledger, version: "2"}
servers: [{url: https://ledger.example.com}]
paths:
  /payments/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {deprecated: true, responses: {'200': {description: ok}}}
    put:
      operationId: payments.replace
      requestBody: {required: true, content: {application/json: {schema: {type: array, items: {type: integer}}}}}
      responses: {'200': {description: ok}}
    post: none
`;

describe("the description of a document", () => {
  it("is plain JSON with everything that a caller of its actions needs", () => {
    const imported = importDocument(text);
    if (!imported.ok) throw new Error(JSON.stringify(imported.problems));
    const description = describeApi(imported.api);
    expect(JSON.parse(JSON.stringify(description))).toEqual(description);
    expect(description).toEqual({
      title: "Ledger",
      version: "2",
      baseUrl: "https://ledger.example.com",
      actions: [
        {
          name: "get_payments_id",
          operationId: null,
          method: "get",
          path: "/payments/{id}",
          deprecated: true,
          effect: "read",
          input: {
            type: "object",
            properties: { id: { type: "string" } },
            required: ["id"],
            additionalProperties: false,
          },
          parameters: [{ input: "id", in: "path", name: "id", required: true }],
        },
        {
          name: "payments.replace",
          operationId: "payments.replace",
          method: "put",
          path: "/payments/{id}",
          deprecated: false,
          effect: "idempotent",
          input: {
            type: "object",
            properties: { id: { type: "string" }, body: { type: "array", items: { type: "integer" } } },
            required: ["id", "body"],
            additionalProperties: false,
          },
          parameters: [
            { input: "id", in: "path", name: "id", required: true },
            { input: "body", in: "body", name: "body", required: true },
          ],
          body: { required: true, mediaType: "application/json" },
        },
      ],
      problems: [
        {
          pointer: "/paths/~1payments~1{id}/post",
          message: 'must be an object that describes an operation, not "none".',
          severity: "error",
          line: 12,
        },
      ],
    });
  });

  it("lists the problems of a refused document", () => {
    const imported = importDocument("openapi: 3.1.0");
    expect(imported.ok).toBe(false);
    if (!imported.ok) {
      expect(describeProblems(imported.problems)).toMatchObject([{ pointer: "/openapi", severity: "error", line: 1 }]);
    }
  });

  it("has no base URL when the document names none", () => {
    const imported = importDocument(
      '{"openapi":"3.0.0","info":{"title":"x","version":"1"},"paths":{"/a":{"get":{"responses":{}}}}}',
    );
    expect(imported.ok && describeApi(imported.api).baseUrl).toBeNull();
  });
});
