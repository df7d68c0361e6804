import type { JsonValue } from "@procedo/contract";
import { ActionError, createRedactor, type ActionContext } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { createService } from "./service.ts";

interface Answer {
  readonly status: number;
  readonly body: JsonValue;
}

const conflict: Answer = { status: 409, body: { reason: "exists", id: "pay_1" } };
const paid = { id: "pay_1", state: "paid" };
const { action } = createService({
  baseUrl: () => "https://bank.test",
  credentials: () => ({ authorization: "Bearer token" }),
  idempotency: { header: "Idempotency-Key" },
});
const pay = action({
  description: "Pays.",
  effect: "idempotent",
  input: z.object({ cents: z.int() }),
  request: (json) => ({ method: "POST", path: "/payments", json }),
  earlier: {
    find: ({ status, body }) => {
      const { id } = body as { readonly id?: string };
      return status === 409 && id !== undefined ? { path: "/payments/{id}", params: { id } } : undefined;
    },
    isResult: (body) => (body as { readonly state?: string }).state === "paid",
  },
});

/** Pays, with these answers of the bank; "cut" is the end of the connection instead of one. */
async function call(answers: readonly (Answer | "cut")[]) {
  const sent: string[] = [];
  const keys: (string | null)[] = [];
  const fetch = async (url: string, { method, headers }: { method: string; headers: Record<string, string> }) => {
    const answer = answers[sent.length] ?? "cut";
    sent.push(`${method} ${new URL(url).pathname}`);
    keys.push(new Headers(headers).get("idempotency-key"));
    if (answer === "cut") throw new ActionError("The connection was cut.", { outcome: "unknown" });
    return Response.json(answer.body, { status: answer.status });
  };
  const context = {
    ...{ action: "pay", idempotencyKey: "key-1", environment: "sandbox", settings: {}, secrets: {} },
    ...{ redactor: createRedactor([]), fetch },
  } as unknown as ActionContext;
  const run = async () => pay.run({ cents: 5 }, context);
  const result = await run().catch((error: unknown) => error);
  return { sent, keys, result };
}

describe("a call that the service refuses to repeat", () => {
  test("has the result of its earlier attempt, which is read without the key of the call", async () => {
    const { sent, keys, result } = await call([conflict, { status: 200, body: paid }]);
    expect(result).toMatchObject({ output: paid, exchange: { response: { status: 200 } } });
    expect(sent).toEqual(["POST /payments", "GET /payments/pay_1"]);
    expect(keys).toEqual(["key-1", null]);
  });

  test("stays refused when the earlier attempt has another result", async () => {
    const { result } = await call([conflict, { status: 200, body: { ...paid, state: "failed" } }]);
    expect(result).toMatchObject({ outcome: "conflict", exchange: { response: { status: 409 } } });
  });

  test.each<[string, Answer | "cut"]>([
    ["does not exist", { status: 404, body: {} }],
    ["is answered with 500", { status: 500, body: {} }],
    ["is cut", "cut"],
  ])("has an unknown outcome when the read %s, because it may have been done", async (_, answer) => {
    const { result } = await call([conflict, answer]);
    expect(result).toMatchObject({ outcome: "unknown" });
    expect(String(result)).toContain("The result of an earlier attempt could not be read.");
  });
});

test.each<[string, Answer | "cut", string]>([
  ["with another reason", { status: 409, body: { reason: "closed" } }, "conflict"],
  ["by another status", { status: 422, body: conflict.body }, "refused"],
  ["by no answer", "cut", "unknown"],
])("a call refused %s is not looked for", async (_, answer, outcome) => {
  const { sent, result } = await call([answer]);
  expect(result).toMatchObject({ outcome });
  expect(sent).toEqual(["POST /payments"]);
});
