import { environments, type Connection, type CreatedTrigger, type RotatedTriggerSecret } from "@procedo/contract";
import { callWell } from "./call-service.ts";
import { itemsOf, type Witness } from "./leak-scenario.ts";
import type { PlantedSecrets } from "./planted-secrets.ts";
import { urlOf, type ServiceWorld } from "./service-world.ts";

/**
 * Webhook triggers whose secrets are replaced while the old ones are accepted, and triggers of a connection whose
 * integration leaks its signing secret. Each gets requests with good and wrong proofs, and with the secret in them.
 */
export async function plantTriggers(service: ServiceWorld, witness: Witness, planted: PlantedSecrets): Promise<void> {
  const url = await urlOf(service.node);
  for (const environment of environments) {
    const key = environment === "live" ? service.keys.live : service.keys.run;
    const trigger = { procedureId: "leak-none", input: { decoy: "{{ string(event) }}" } };
    const source = { kind: "webhook", authentication: { scheme: "token", header: "X-Token" }, dedupe: { by: "none" } };
    const creation = { body: { ...trigger, name: "Token", source } };
    const created = await callWell<CreatedTrigger>(`${url}/api/v1/triggers`, key, creation);
    const { id, secret = "", inbound } = created;
    planted.add(`the old secret of the trigger in ${environment}`, secret);
    const rotation = `${url}/api/v1/triggers/${id}/rotate`;
    const { secret: current } = await callWell<RotatedTriggerSecret>(rotation, key, { body: {} });
    planted.add(`the secret of the trigger in ${environment}`, current);
    for (const [sent, status] of [
      [secret, 200],
      [current, 200],
      [`${current}x`, 401],
      [current.toLowerCase(), 401],
    ] as const) {
      const headers = { "x-token": sent, "x-copy": secret };
      await send(planted, inbound?.url ?? "", { headers, body: { copies: [secret, current] }, status });
    }

    const name = "leaky-none";
    const listed = itemsOf<Connection>(await witness("/api/v1/connections?limit=100", key));
    const { id: connectionId = "" } = listed.find((one) => one.name === name) ?? {};
    const connection = JSON.parse(await witness(`/api/v1/connections/${connectionId}`, key)) as Connection;
    const events = { kind: "integration", connection: name, events: ["told"] };
    await witness("/api/v1/triggers", key, { body: { ...trigger, name: "Leaky", source: events } });
    const token = planted.token(`the secret of leak-none in ${environment}`);
    const proof = { "x-leaky-token": Buffer.from(token).toString("base64") };
    const leaked = connection.inbound?.url ?? "";
    for (const [how, status] of [
      ["event", 200],
      ["refusal", 422],
      ["crash", 422],
    ] as const) {
      await send(planted, leaked, { headers: proof, body: { id: how, how }, status });
      await send(planted, leaked, { headers: { "x-leaky-token": encodeURI(token) }, body: { how }, status: 401 });
    }
    for (const path of ["triggers?limit=100", `triggers/${id}`, `triggers/${id}/firings?limit=100`])
      await witness(`/api/v1/${path}`, key);
  }
}

/** Sends a request as another service, and keeps its answer. @throws Error for another status than the expected one */
async function send(
  planted: PlantedSecrets,
  url: string,
  request: {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
    readonly status: number;
  },
): Promise<void> {
  const { headers, body, status } = request;
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (answer.status !== status) throw new Error(`An event was answered ${answer.status} instead of ${status}: ${text}`);
  planted.note("an answer", `${answer.status} ${text}`);
}
