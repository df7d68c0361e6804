import { describe, expect, it } from "vitest";
import type { JsonObject } from "@procedo/contract";
import { changedOperation } from "../../src/openapi/changed-operation.ts";
import { imported, onlyOperation, openApi } from "./documents.ts";

const answering = (schema: JsonObject): JsonObject => ({
  "200": { description: "ok", content: { "application/json": { schema } } },
});
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const schemas: JsonObject = {
  Node: { type: "object", properties: { next: ref("Node"), secret: { type: "string", writeOnly: true } } },
  Page: { type: "object", properties: { items: { type: "array", items: ref("Node") } } },
};
const paths = Object.fromEntries(
  ["Node", "Page", "Node"].map((name, index) => [
    `/p${index}`,
    { get: { operationId: `get${index}`, responses: answering(ref(name)) } },
  ]),
);
const text = openApi(paths, { components: { schemas } });

describe("an output", () => {
  it("is the same at any time and in any order of access", () => {
    const outputs = imported(text).operations.map(({ output }) => output);
    const { operations } = imported(text);
    expect(operations.toReversed().map(({ output }) => output)).toEqual(outputs.toReversed());
    for (const operation of operations) expect(operation.output).toBe(operation.output);
    expect(outputs[1]).toEqual({
      type: "object",
      properties: { items: { type: "array", items: { $ref: "#/$defs/Node" } } },
      $defs: { Node: { type: "object", properties: { next: { $ref: "#/$defs/Node" } } } },
    });
  });

  it.each(["*/*", "application/vnd.acme+json"])(
    "is described under %s where its own type has examples alone",
    (other) => {
      const content = { [other]: { schema: { type: "array" } }, "application/json": { examples: {} } };
      const responses = { "200": { description: "ok", content } };
      expect(onlyOperation(openApi({ "/x": { get: { responses } } })).output).toEqual({ type: "array" });
    },
  );

  it("is part of the operation as JSON, as a copy, and as a changed copy", () => {
    const operation = onlyOperation(openApi({ "/x": { get: { responses: answering({ type: "string" }) } } }));
    const output = { type: "string" };
    expect(JSON.parse(JSON.stringify(operation))).toMatchObject({ name: "get_x", output });
    expect({ ...operation }.output).toEqual(output);
    expect(changedOperation(operation, { effect: "once" })).toEqual({ ...operation, effect: "once" });
  });

  it("is not translated for a changed copy before its first access", () => {
    const operation = onlyOperation(openApi({ "/x": { get: { responses: answering({}) } } }));
    let asked = 0;
    const watched = Object.defineProperty({ ...operation }, "output", {
      enumerable: true,
      get: () => ({ asked: (asked += 1) }),
    });
    const changed = changedOperation(watched, { effect: "once" });
    expect(asked).toBe(0);
    expect(changed.output).toEqual({ asked: 1 });
  });
});
