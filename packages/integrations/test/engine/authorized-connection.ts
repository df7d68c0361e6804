import type { Environment, JsonObject, JsonValue } from "@procedo/contract";
import { createEngine, silentLog, systemClock, type CodedIntegration } from "@procedo/engine";
import { createMemoryStorage } from "@procedo/storage";
import { onTestFinished } from "vitest";
import { startProbeService } from "../../src/testing/probe-service.ts";
import { by, callDocument } from "./ledger-engine.ts";

const redirectUri = "https://procedo.test/oauth/callback";

/** An engine with a connection that a person can authorize, at a service that is also its authorization server. */
export async function connectionToAuthorize(
  integrationAt: (origin: string) => CodedIntegration,
  {
    environment = "sandbox",
    ...given
  }: {
    readonly environment?: Environment;
    readonly settings: JsonObject;
    readonly secrets: { readonly [name: string]: string };
  },
) {
  const service = await startProbeService();
  const integration = integrationAt(service.origin);
  const engine = createEngine({
    storage: createMemoryStorage({ now: systemClock.now }),
    ...{ integrations: [integration], masterKey: new Uint8Array(32).fill(7), log: silentLog },
    egress: { allowNetworks: ["127.0.0.0/8"] },
  });
  await engine.start();
  onTestFinished(async () => {
    await engine.stop();
    await service.close();
  });
  const { connectionId } = await engine.connections.create({
    ...{ name: "ledger", integration: integration.name, environment, ...given, by },
  });
  const place = { environment, connectionId, by };
  return {
    engine,
    place,
    /** The service answers with these bodies, in their order. Returns the requests from now on. */
    answer: (...bodies: readonly JsonValue[]) =>
      service.answer(bodies.map((body) => ({ status: 200, body: JSON.stringify(body) }))),
    /** Goes through an authorization as a person's browser does. */
    authorize: async ({ replace = false } = {}) => {
      const { ticket } = await engine.authorizations.begin({ ...place, replace });
      const { url, browser } = await engine.authorizations.open({ ticket, redirectUri });
      const asked = new URL(url).searchParams;
      const parameters = new URLSearchParams({ code: "c0de", state: asked.get("state") ?? "" });
      return { asked, finished: await engine.authorizations.finish({ parameters, browser }) };
    },
    run: async (action: string, args: JsonObject) => {
      await engine.procedures.publish({
        document: callDocument(action, args),
        version: "v1",
        defaultIn: [environment],
        by,
      });
      const { runId } = await engine.runs.execute({ procedureId: "p", environment, data: {}, by });
      return await engine.runs.get({ environment, runId });
    },
    status: async () => (await engine.connections.get(place)).oauth?.status,
  };
}
