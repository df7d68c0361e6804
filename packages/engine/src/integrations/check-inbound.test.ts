import { describe, expect, it, test } from "vitest";
import * as z from "zod";
import { defineIntegration } from "./define-integration.ts";

const event = { type: "payment.settled", title: "A payment settled", sample: { id: "evt_1" } };
const inbound = { events: [event], verify: () => true, parse: () => [] };
const define = (given: unknown) =>
  defineIntegration({
    name: "ledger",
    secrets: z.object({ signingSecret: z.string() }),
    actions: {},
    inbound: given as typeof inbound,
  });

test("an integration keeps its inbound side", () => {
  expect(define(inbound).inbound).toBe(inbound);
  expect(
    define({ ...inbound, refusalStatus: 498, handshake: () => undefined, list: async () => [] }).inbound,
  ).toBeDefined();
});

test("verification reads the settings and secrets in the types of their schemas", () => {
  const typed = defineIntegration({
    name: "ledger",
    settings: z.object({ region: z.enum(["eu", "us"]) }),
    secrets: z.object({ signingSecret: z.string() }),
    actions: {},
    inbound: {
      events: [event],
      verify: ({ settings, secrets }) => settings.region === "eu" && secrets.signingSecret.length > 0,
      parse: () => "other_environment",
    },
  });
  expect(typed.inbound?.events).toEqual([event]);
});

describe("a definition is refused", () => {
  it.each<[string, unknown, string]>([
    ["that is no object", "yes", "inbound"],
    ["with an unknown option", { ...inbound, check: () => true }, '"check"'],
    ["without verify", { ...inbound, verify: undefined }, "has a verify that is undefined. Give a function."],
    ["without parse", { ...inbound, parse: undefined }, "has a parse that is undefined."],
    ["with a handshake that is a text", { ...inbound, handshake: "ok" }, "has a handshake that is a string."],
    ["with a list that is a list", { ...inbound, list: [] }, "has a list that is a list."],
    ["with a refusal that is a success", { ...inbound, refusalStatus: 200 }, "has the refusalStatus 200."],
    ["with a refusal that is a fault of ours", { ...inbound, refusalStatus: 503 }, "has the refusalStatus 503."],
    ["without events", { ...inbound, events: [] }, "List at least one"],
    ["with events that are no list", { ...inbound, events: event }, "has events that are an object."],
    ["with an event without a type", { ...inbound, events: [{ ...event, type: "" }] }, 'of the type ""'],
    ["with an event twice", { ...inbound, events: [event, event] }, 'lists the event "payment.settled" twice'],
    ["with an event without a title", { ...inbound, events: [{ ...event, title: "" }] }, "without a title"],
    ["with an event without a sample", { ...inbound, events: [{ type: "a", title: "A" }] }, "without a sample"],
    ["with a schema that is a text", { ...inbound, events: [{ ...event, schema: "{}" }] }, "a schema that is a string"],
    ["with a misspelt member of an event", { ...inbound, events: [{ ...event, shema: {} }] }, '"shema"'],
  ])("%s", (_how, given, message) => {
    expect(() => define(given)).toThrow(expect.objectContaining({ code: "invalid_configuration" }));
    expect(() => define(given)).toThrow(message);
    expect(() => define(given)).toThrow('The integration "ledger"');
  });

  it("without secrets, because nothing could verify its requests", () => {
    expect(() => defineIntegration({ name: "ledger", actions: {}, inbound })).toThrow("has inbound without secrets");
  });
});
