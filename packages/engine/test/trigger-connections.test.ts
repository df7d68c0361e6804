import { describe, expect, test } from "vitest";
import { defineIntegration, z } from "@procedo/engine";
import { alice } from "./harness.ts";
import { createTriggerHarness, paymentInput } from "./trigger-harness.ts";

const sandbox = "sandbox";

/** A service that sends events of these types. */
const shopWith = (types: readonly string[]) =>
  defineIntegration({
    name: "shop",
    secrets: z.object({ key: z.string() }),
    actions: {},
    ...(types.length > 0 && {
      inbound: {
        events: types.map((type) => ({ type, title: type, sample: {} })),
        verify: () => true,
        parse: () => [],
      },
    }),
  });

const source = { kind: "integration" as const, connection: "shop", events: ["paid", "refunded"] };
const mapping = { input: { paymentId: "{{ event.id }}", amount: "{{ event.amount }}" } };

async function open() {
  const harness = await createTriggerHarness({ integrations: [shopWith(["paid", "refunded"])], input: paymentInput });
  await harness.engine.connections.create({
    ...{ name: "shop", integration: "shop", environment: sandbox, secrets: { key: "secret" }, by: alice },
  });
  return harness;
}

describe("a trigger whose integration has changed since", () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ["no longer has one of its events", ["paid"], ["/source/events/1"]],
    ["no longer sends events", [], ["/source/connection"]],
    ["has more events", ["paid", "refunded", "disputed"], []],
  ])("that %s shows it as its problem, and needs attention", async (_how, types, paths) => {
    const harness = await open();
    const { triggerId, health } = await harness.create(source, mapping);
    expect(health.status).toBe("ok");
    const changed = await harness.addEngine({ integrations: [shopWith(types)] });
    const shown = await changed.triggers.get({ environment: sandbox, triggerId });
    expect(shown.problems.map(({ path }) => path)).toEqual(paths);
    expect(shown.health.status).toBe(paths.length === 0 ? "ok" : "needs_attention");
  });
});

test("the mapping of an integration's events reads no headers, which these events do not have", async () => {
  const harness = await open();
  const input = { ...mapping.input, paymentId: '{{ headers["x-id"] }}' };
  await expect(harness.create(source, { input })).rejects.toMatchObject({
    code: "invalid_input",
    details: [{ path: "/input/paymentId", message: expect.stringContaining("headers") as string }],
  });
});
