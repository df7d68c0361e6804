import { ActionError, type ActionAnswer } from "@procedo/engine";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { probeContext } from "../testing/probe-calls.ts";
import { startProbeService, type ProbeService } from "../testing/probe-service.ts";
import { createService } from "./service.ts";

let service: ProbeService;
beforeAll(async () => {
  service = await startProbeService();
});
afterAll(() => service.close());

const secret = "intent_secret_0123456789";
const context = probeContext({ environment: "sandbox", secrets: { token: "tok_0123456789" } }, "pay");

function bank() {
  return createService<unknown, unknown>({
    baseUrl: () => service.origin,
    credentials: () => ({}),
    credentialMembers: ["client_secret"],
    refusal: ({ status, body }) => {
      const { reason } = (body ?? {}) as { readonly reason?: string };
      return status < 400 || reason === undefined ? undefined : { message: `The bank said: ${reason}` };
    },
  });
}

function answer(body: unknown, status = 200) {
  service.answer([{ status, body: JSON.stringify(body) }]);
}

async function failure(work: Promise<unknown>): Promise<ActionError> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  if (error instanceof ActionError) return error;
  throw new Error(`No ActionError was thrown, but ${String(error)}.`);
}

describe("a credential that the service answers with", () => {
  test("is replaced in the output", async () => {
    answer({ id: "pi_1", client_secret: secret });
    const request = { method: "POST", path: "/intents" } as const;
    expect(await bank().ask(context, "once", request)).toEqual({ id: "pi_1", client_secret: "[redacted]" });
  });

  test("is replaced in a refusal and its record", async () => {
    answer({ reason: `not with ${secret}`, client_secret: secret }, 402);
    const error = await failure(bank().ask(context, "once", { method: "POST", path: "/intents" }));
    const { message, failureDetails, exchange } = error;
    expect(message).toBe("The bank said: not with [redacted]");
    expect(JSON.stringify([failureDetails, exchange])).not.toContain(secret);
  });

  test("is replaced in events", () => {
    expect(bank().withoutCredentials({ data: { client_secret: secret } })).toEqual({
      data: { client_secret: "[redacted]" },
    });
  });
});

test("a list may have another output than its items", async () => {
  answer({ data: [1, 2, 3] });
  const { run } = bank().list({
    description: "Adds the numbers of a list.",
    input: z.object({}),
    request: () => ({ path: "/numbers" }),
    items: (body) => z.object({ data: z.array(z.number()) }).parse(body).data,
    next: () => undefined,
    output: { schema: z.number(), read: ({ items }) => items.map(Number).reduce((sum, one) => sum + one, 0) },
  });
  expect(await run({}, context)).toMatchObject({ output: 6 });
});

test("a reason of any length is cut to 500 characters", async () => {
  answer({ reason: "x".repeat(5_000) }, 400);
  const { message } = await failure(bank().ask(context, "read", { path: "/intents" }));
  expect(message).toHaveLength(500);
});

describe("a fault of the integration's own code", () => {
  const action = (request: () => never) =>
    bank().action({ description: "Pays.", effect: "once", input: z.object({}), request });

  test("before a request is sent leaves no doubt about the call", async () => {
    const pay = action(() => {
      throw new TypeError("reference is undefined");
    });
    const error = await failure(Promise.resolve(pay.run({}, context as never)));
    expect(error).toMatchObject({ outcome: "not_sent", mayRetry: false });
    expect(error.message).toContain("nothing was sent");
  });

  test("on the answer of a call that was made leaves the answer on record, and unusable", async () => {
    const { action: paying } = createService<unknown, unknown>({
      baseUrl: () => service.origin,
      credentials: () => ({}),
      refusal: ({ body }) => ((body as { error?: string }).error === undefined ? undefined : { message: "No." }),
    });
    const request = () => ({ method: "POST", path: "/payments" }) as const;
    const pay = paying({ description: "Pays.", effect: "once", input: z.object({}), request });
    service.answer([{ status: 204, body: "" }]);
    const answered = (await pay.run({}, context)) as ActionAnswer;
    expect(answered.unusable).toMatch(/^cannot be read: TypeError/);
    expect(answered.exchange?.response?.status).toBe(204);
  });
});

test("a refusal is told by a header of the answer", async () => {
  const limited = createService<unknown, unknown>({
    baseUrl: () => service.origin,
    refusal: ({ status, headers = {} }) =>
      status === 429 ? { message: `Too many within a ${headers["x-limit"] ?? "while"}.` } : undefined,
  });
  service.answer([{ status: 429, headers: { "X-Limit": "day", "retry-after": "60" }, body: "" }]);
  expect(await failure(limited.ask(context, "read", { path: "/" }))).toMatchObject({
    ...{ message: "Too many within a day.", mayRetry: true, retryAfterMs: 60_000 },
  });
});
