import { connectionSchema, integrationListSchema, integrationSchema } from "@procedo/contract";
import { services } from "@procedo/integrations/services";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makePlace, procedo, procedoJson, startProcess, type Place, type ServerProcess } from "./server-process.ts";

let place: Place;

let server: ServerProcess;

beforeAll(async () => {
  place = makePlace({ STRIPE_KEY: "sk_test_4eC39HqLyjWDarjtT1zdp7dc", LIVE_KEY: "sk_live_4eC39HqLyjWDarjtT1zdp7dc" });
  server = await startProcess(place);
});
afterAll(async () => {
  server.kill("SIGTERM");
  await server.ended;
  place.remove();
});

describe("procedo integrations", () => {
  test("list names every service of the server", async () => {
    const { data } = integrationListSchema.parse(await procedoJson(place, "integrations", "list"));
    const ids = data.map(({ id }) => id);
    for (const { name } of services()) expect(ids).toContain(name);
    expect((await procedo(place, "integrations", "list")).out).toMatch(/^stripe +payments +\d+ +Stripe$/m);
  });

  test("show has the line that connects the service, with its settings, secrets and events", async () => {
    const { out } = await procedo(place, "integrations", "show", "stripe");
    expect(out).toContain("procedo connections create --integration stripe");
    expect(out).toMatch(/^ {2}--secret secretKey=env:…/m);
    expect(out).toMatch(/^ {2}payment_intent\.succeeded: /m);
    expect(integrationSchema.parse(await procedoJson(place, "integrations", "show", "stripe")).category).toBe(
      "payments",
    );
    const missing = await procedo(place, "integrations", "show", "nothing");
    expect(missing).toMatchObject({ code: 1, err: expect.stringContaining("integration_not_found") });
  });

  test("connections create connects the service, and refuses a live key in the sandbox", async () => {
    const create = ["connections", "create", "--integration", "stripe", "--name", "money", "--environment", "sandbox"];
    const refused = await procedo(place, ...create, "--secret", "secretKey=env:LIVE_KEY");
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("credentials_of_other_environment") });
    expect(refused.err).not.toContain("sk_live");
    await procedoJson(place, ...create, "--secret", "secretKey=env:STRIPE_KEY");
    const shown = connectionSchema.parse(await procedoJson(place, "connections", "show", "money"));
    expect(shown).toMatchObject({ integration: "stripe", secretNames: ["secretKey"] });
  });
});
