import { defineIntegration, z } from "@procedo/engine";
import { describe, expect, it, onTestFinished, test, vi } from "vitest";
import { createHarness, owner } from "./harness.ts";
import { signingSecret } from "./signed-services.ts";

/** A connection of an integration that was written without types. */
async function createUntyped(code: {
  readonly verify?: unknown;
  readonly parse?: unknown;
  readonly handshake?: unknown;
}) {
  const untyped = defineIntegration({
    name: "untyped",
    secrets: z.object({ signingSecret: z.string() }),
    actions: {},
    inbound: {
      events: [{ type: "any", title: "Any event", sample: {} }],
      refusalStatus: 498,
      verify: () => true,
      parse: () => [],
      ...(code as object),
    },
  });
  // The engine's log is the console.
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
  const harness = await createHarness({ started: false, integrations: [untyped] });
  const { inbound } = await harness.engine.connections.create({
    name: "untyped",
    integration: "untyped",
    environment: "live",
    secrets: { signingSecret },
    by: owner,
  });
  const target = `http://procedo.test/in/v1/${inbound?.address ?? ""}`;
  const post = async (body: string) => {
    const request = new Request(target, { method: "POST", body });
    const response = await harness.http.fetch(request, { address: "192.0.2.1" });
    return [response.status, await response.text()];
  };
  return { harness, post, warned: () => warn.mock.calls.map(([line]) => String(line)) };
}

test("an integration that fails on a body with its secret in the error is answered 422, and the log shows no secret", async () => {
  const { harness, post, warned } = await createUntyped({
    parse: ({ secrets }: { readonly secrets: { readonly signingSecret: string } }) => {
      throw new Error(`Cannot decode with ${secrets.signingSecret}.`);
    },
  });
  for (let count = 0; count < 3; count++) expect(await post("{}")).toEqual([422, ""]);
  expect(harness.logged).toEqual([]);
  expect(warned()).toHaveLength(1);
  expect(warned().join()).toContain("failed on a request: Cannot decode with [redacted].");
  expect(warned().join()).not.toContain(signingSecret);
});

describe("an integration that was written without types", () => {
  const event = { id: "evt_1", type: "any", occurredAtMs: 1, event: {} };
  const cyclic: unknown[] = [];
  cyclic.push(cyclic);
  const deep = JSON.parse("[".repeat(65) + "]".repeat(65)) as unknown;
  it.each<[string, () => unknown]>([
    ["nothing", () => undefined],
    ["a promise", async () => Promise.reject(new Error("late"))],
    ["null", () => [null]],
    ["no id", () => [{ ...event, id: undefined }]],
    ["an empty id", () => [{ ...event, id: "" }]],
    ["a number as id", () => [{ ...event, id: 1 }]],
    ["no type", () => [{ ...event, type: undefined }]],
    ["no event", () => [{ ...event, event: undefined }]],
    ["a time that is NaN", () => [{ ...event, occurredAtMs: NaN }]],
    ["an infinite time", () => [{ ...event, occurredAtMs: Infinity }]],
    ["a time that is text", () => [{ ...event, occurredAtMs: "2026-11-27" }]],
    ["a BigInt", () => [{ ...event, event: { amount: 1n } }]],
    ["NaN in the event", () => [{ ...event, event: { amount: NaN } }]],
    ["a cycle", () => [{ ...event, event: cyclic }]],
    ["65 levels", () => [{ ...event, event: deep }]],
    ["more than 1 MiB", () => [{ ...event, event: "x".repeat(1024 * 1024) }]],
  ])("that parses %s is answered 422 each time, without an error in the log", async (_how, parsed) => {
    const { harness, post, warned } = await createUntyped({ parse: parsed });
    for (let count = 0; count < 2; count++) expect(await post("{}")).toEqual([422, ""]);
    expect(harness.logged).toEqual([]);
    expect(warned()).toHaveLength(1);
  });

  it("that repeats the body in each event is answered 413 above 4 MiB", async () => {
    const large = "x".repeat(1_000_000);
    const events = Array.from({ length: 5 }, (_, index) => ({ ...event, id: `${index}`, event: large }));
    const { post } = await createUntyped({ parse: () => events });
    expect(await post("{}")).toEqual([413, ""]);
  });

  it.each<[string, unknown]>([
    ["text", "challenge"],
    ["no text", { contentType: "text/plain" }],
    ["two lines as a content type", { contentType: "text/plain\r\nX-Evil: 1", text: "x" }],
  ])("that answers a check of the address with %s is answered 422", async (_how, answer) => {
    const { harness, post } = await createUntyped({ handshake: () => answer });
    expect(await post("{}")).toEqual([422, ""]);
    expect(harness.logged).toEqual([]);
  });

  it.each<[string, () => unknown]>([
    ["throws", () => JSON.parse("{evt_forged")],
    [
      "throws a value",
      () =>
        ((): never => {
          // oxlint-disable-next-line typescript/only-throw-error -- as untyped code does
          throw "evt_forged";
        })(),
    ],
    ["returns a promise of true", async () => true],
    ["returns a promise that rejects", async () => Promise.reject(new Error("evt_forged"))],
    ["returns 1", () => 1],
  ])("whose verify %s is answered the status of a refusal, and its sender is slowed down", async (_how, verify) => {
    const { harness, post, warned } = await createUntyped({ verify });
    for (let count = 0; count < 20; count++) expect(await post("{evt_forged")).toEqual([498, ""]);
    const statuses = [await post("{evt_forged"), await post("{evt_forged")].map(([status]) => status);
    expect(statuses).toContain(429);
    expect(harness.logged).toEqual([]);
    expect(warned()).toHaveLength(1);
    expect(warned().join()).not.toContain("evt_forged");
  });
});
