import { createEngine, z, type ActionEffect, type Integration } from "@procedo/engine";
import { expect, test } from "vitest";
import { createHarness, testKey } from "./harness.ts";
import { createConnectionHarness } from "./connection-harness.ts";
import { call, procedure } from "./documents.ts";
import { documentText } from "./listed-api.ts";

const noEffect = "write" as ActionEffect;

test("an engine cannot be created with an action of an unknown effect, regardless of how the integration was made", async () => {
  const { bank, storage } = await createHarness();
  const actions = bank.integration.kind === "coded" ? [...bank.integration.actions] : [];
  for (const effect of [noEffect, undefined]) {
    const integration = { ...bank.integration, actions: new Map(actions.map(([n, a]) => [n, { ...a, effect }])) };
    expect(() => createEngine({ storage, masterKey: testKey, integrations: [integration as Integration] })).toThrow(
      expect.objectContaining({ code: "invalid_configuration", message: expect.stringMatching(/effect/) as string }),
    );
  }
});

test("a documented action of an unknown effect is not called, and its step fails with an explanation", async () => {
  const harness = await createConnectionHarness();
  const text = documentText({
    server: harness.api.url,
    actions: [{ name: "pay", at: "POST /payments", effect: noEffect }],
  });
  await harness.connect({ settings: { spec: { text } } });
  const runId = await harness.call();
  expect(harness.api.requests).toEqual([]);
  expect(await harness.read(runId)).toMatchObject({
    status: "failed",
    error: expect.stringContaining('has the effect "write"') as string,
  });
});

test("a step whose arguments cannot be checked fails, and its run does not stay running", async () => {
  const harness = await createHarness({
    bank: { payInput: z.object({ to: z.string().refine(async () => Promise.resolve(true)) }) },
  });
  const runId = await harness.runOf(procedure([call("pay", "pay", { arguments: { to: "{{ input.to }}" } })]), {
    to: "acme",
  });
  expect(harness.bank.calls).toEqual([]);
  expect(harness.engine.runs.quarantinedRuns()).toEqual([]);
  expect(await harness.read(runId)).toMatchObject({
    status: "failed",
    error: expect.stringContaining('The arguments of "pay" could not be checked.') as string,
  });
});
