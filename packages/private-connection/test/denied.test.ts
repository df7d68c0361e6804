import { describe, expect, test } from "vitest";
import * as z from "zod";
import { defineFunction } from "../src/functions/define-function.ts";
import { connected, echo, functionOf } from "./setup.ts";

const context = { environment: "sandbox", runId: null, procedureId: null, procedureVersion: null };
const dispatch = (more: object) => ({
  status: 200,
  body: {
    invocations: [
      { id: "inv_9", function: "echo", input: {}, leaseToken: "lease_9", idempotencyKey: "k", context, ...more },
    ],
  },
});

/** The client's answer to a dispatched call. */
async function answerTo(fault: ReturnType<typeof dispatch>): Promise<unknown> {
  const { service, runtime } = await connected([echo]);
  const result = service.arrival(({ path }) => path === "/v1/sdk/result");
  service.failNext("/v1/sdk/poll", fault);
  await runtime.advance(25_000);
  return JSON.parse((await result).text);
}

describe("a function that this client does not serve is not found:", () => {
  test.each(["unknown", "constructor", "__proto__", "toString", "hasOwnProperty", "", "../echo", "echo "])(
    "%j",
    async (name) => {
      expect(await answerTo(dispatch({ function: name }))).toEqual({
        invocationId: "inv_9",
        leaseToken: "lease_9",
        status: "error",
        error: `Function ${JSON.stringify(name)} is not found: this client does not serve it.`,
      });
    },
  );
});

test("a call of the other environment is refused", async () => {
  expect(await answerTo(dispatch({ context: { ...context, environment: "live" } }))).toMatchObject({
    status: "error",
    error: "This client serves sandbox, not live.",
  });
});

test.each([
  ["input", { input: "no object" }],
  ["context", { context: null }],
  ["idempotencyKey", { idempotencyKey: 5 }],
])("a call with an invalid %s is answered with an error", async (name, more) => {
  expect(await answerTo(dispatch(more))).toMatchObject({
    status: "error",
    error: `This client does not understand the call: ${name} is not as expected.`,
  });
});

test("members that a newer service adds are ignored", async () => {
  const newer = { priority: 5, input: { value: 1 }, context: { ...context, tenant: "acme" } };
  expect(await answerTo(dispatch(newer))).toMatchObject({ status: "ok", output: 1 });
});

test("a handler receives declared inputs only", async () => {
  const seen: unknown[] = [];
  const strict = defineFunction({
    name: "strict",
    description: "Takes a name.",
    input: z.object({ name: z.string(), limit: z.number().default(5) }),
    handler: (input) => void seen.push(input),
  });
  const { service } = await connected([strict]);
  const input = JSON.parse('{"name": "x", "admin": true, "__proto__": {"role": "root"}}') as { name: string };
  await service.call("strict", input).settled;
  expect(seen).toEqual([{ name: "x", limit: 5 }]);
  expect(Object.keys(seen[0] as object)).toEqual(["name", "limit"]);
});

test("invalid input is answered with every problem at once, and the handler is not called", async () => {
  let calls = 0;
  const screen = defineFunction({
    name: "screen",
    description: "Screens.",
    input: z.object({ name: z.string(), parties: z.array(z.object({ country: z.string().length(2) })) }),
    handler: () => ++calls,
  });
  const { service } = await connected([screen]);
  const input = { name: 5, parties: [{ country: "DE" }, { country: "Germany" }] };
  expect(await service.call("screen", input).settled).toEqual({
    status: "error",
    error: expect.stringMatching(/^Invalid input: \/name: .*; \/parties\/1\/country: .*\.$/),
  });
  expect(calls).toBe(0);
});

test("a service that dispatches more calls than requested gets no more of them executed at once", async () => {
  let running = 0;
  const slow = functionOf("slow", () => (running++, new Promise(() => undefined)), { idempotent: true });
  const { service, runtime } = await connected([slow], { concurrency: 2 });
  const invocations = Array.from({ length: 50 }, (_, n) => ({
    ...{ id: `inv_${n}`, function: "slow", input: {}, leaseToken: "l", idempotencyKey: "k", context },
  }));
  service.failNext("/v1/sdk/poll", { status: 200, body: { invocations } });
  await runtime.advance(25_000);
  expect(running).toBe(2);
});
