import { environments, type Connection, type CreatedTrigger, type RotatedTriggerSecret } from "@procedo/contract";
import { callService } from "./call-service.ts";
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
    const created = await callService(`${url}/api/v1/triggers`, key, { body: { ...trigger, name: "Token", source } });
    const { id, secret = "", inbound } = JSON.parse(created?.text ?? "{}") as CreatedTrigger;
    planted.add(`the old secret of the trigger in ${environment}`, secret);
    const rotated = await callService(`${url}/api/v1/triggers/${id}/rotate`, key, { body: {} });
    const { secret: current } = JSON.parse(rotated?.text ?? "{}") as RotatedTriggerSecret;
    planted.add(`the secret of the trigger in ${environment}`, current);
    for (const sent of [secret, current, `${current}x`, current.toLowerCase()]) {
      await send(inbound?.url ?? "", { "x-token": sent, "x-copy": secret }, { copies: [secret, current] }, planted);
    }

    const name = "leaky-none";
    const listed = itemsOf<Connection>(await witness("/api/v1/connections?limit=100", key));
    const { id: connectionId = "" } = listed.find((one) => one.name === name) ?? {};
    const connection = JSON.parse(await witness(`/api/v1/connections/${connectionId}`, key)) as Connection;
    const events = { kind: "integration", connection: name, events: ["told"] };
    await witness("/api/v1/triggers", key, { body: { ...trigger, name: "Leaky", source: events } });
    const token = planted.token(`the secret of leak-none in ${environment}`);
    const proof = { "x-leaky-token": Buffer.from(token).toString("base64") };
    for (const how of ["event", "refusal", "crash"]) {
      await send(connection.inbound?.url ?? "", proof, { id: `${environment} ${how}`, how }, planted);
      await send(connection.inbound?.url ?? "", { "x-leaky-token": token.slice(3) }, { how }, planted);
    }
    for (const path of ["triggers?limit=100", `triggers/${id}`, `triggers/${id}/firings?limit=100`])
      await witness(`/api/v1/${path}`, key);
  }
}

async function send(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: unknown,
  planted: PlantedSecrets,
): Promise<void> {
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  planted.note("an answer", `${answer.status} ${await answer.text()}`);
}
