import type { JsonObject } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { callDocument, ledgerEngine } from "./ledger-engine.ts";

/* RFC 7396: null removes a member of a merge patch. Documents describe the members as the resource has them. */

const text = { type: "string" };
const object = (properties: JsonObject, required: readonly string[] = []) => ({
  type: "object",
  properties,
  required: [...required],
});

const account = object(
  {
    id: text,
    memo: text,
    state: { enum: ["open", "closed"] },
    owner: { $ref: "#/components/schemas/Owner" },
    limits: { allOf: [object({ day: { type: "integer" } })] },
    labels: { type: "object", additionalProperties: text },
    lines: { type: "array", items: object({ memo: text }) },
  },
  ["id"],
);
const owner = object({ name: text, address: { $ref: "#/components/schemas/Address" } });

const bodies: readonly (readonly [string, JsonObject])[] = [
  ["of members", { $ref: "#/components/schemas/Account" }],
  ["in alternatives", { oneOf: [{ $ref: "#/components/schemas/Account" }, object({ other: text }, ["other"])] }],
];

async function sentBy(mediaType: string, schema: JsonObject, args: JsonObject) {
  const harness = await ledgerEngine();
  const document = {
    openapi: "3.0.3",
    info: { title: "Ledger", version: "1" },
    servers: [{ url: `${harness.server.origin}/v1` }],
    paths: {
      "/accounts/{number}": {
        patch: {
          operationId: "change",
          parameters: [{ name: "number", in: "path", required: true, schema: text }],
          requestBody: { required: true, content: { [mediaType]: { schema } } },
          responses: { 200: { description: "Done." } },
        },
      },
    },
    components: { schemas: { Account: account, Owner: owner, Address: object({ city: text }) } },
  };
  await harness.connect({ spec: { text: JSON.stringify(document) } });
  harness.server.answers = [{ status: 200, body: "{}" }];
  await harness.run(callDocument("change", { number: "1", ...args }));
  return JSON.parse(harness.server.last().body.toString("utf8")) as JsonObject;
}

const removing = {
  id: "a",
  memo: null,
  state: null,
  owner: { name: null, address: { city: null } },
  limits: { day: null },
  labels: { old: null },
};

describe.each(bodies)("a merge patch %s", (_shape, schema) => {
  test("sends null for optional members at every depth, which removes them", async () => {
    expect(await sentBy("application/merge-patch+json; charset=utf-8", schema, removing)).toEqual(removing);
  });

  test("rejects null for a required member", async () => {
    const removingId = sentBy("application/merge-patch+json", schema, { id: null, memo: "m" });
    await expect(removingId).rejects.toMatchObject({ code: "invalid_document" });
  });
});

test("another JSON body omits such nulls", async () => {
  const [, schema] = bodies[0] ?? [];
  const { labels: _map, ...args } = removing;
  expect(await sentBy("application/json", schema ?? {}, args)).toEqual({
    id: "a",
    owner: { address: {} },
    limits: {},
  });
});

test("null removes a whole object of a merge patch, but no member of a list's item", async () => {
  const [, schema] = bodies[0] ?? [];
  const args = { id: "a", owner: null, limits: null, lines: [{ memo: null }] };
  expect(await sentBy("application/merge-patch+json", schema ?? {}, args)).toEqual({ ...args, lines: [{}] });
});
