import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { seededRandom } from "@procedo-testing/faults";
import {
  environments,
  type CreatedApiKey,
  type CreatedWebhook,
  type Environment,
  type Review,
} from "@procedo/contract";
import { runCommand } from "@procedo/server";
import { tally, type Tally } from "../crash/tally.ts";
import type { ProofGroup } from "../proof-group.ts";
import { callService } from "./call-service.ts";
import { findCanaries } from "./canary-forms.ts";
import {
  decoy,
  itemsOf,
  leakDocuments,
  misuse,
  readAll,
  startLeaks,
  untilAtRest,
  type Witness,
} from "./leak-scenario.ts";
import { serviceIntegrations } from "./service-integrations.ts";
import { plantAuthorizations, plantTokens, startTokenServers, type TokenServers } from "./plant-authorizations.ts";
import { plantPeople } from "./plant-people.ts";
import { plantTriggers } from "./plant-triggers.ts";
import { plantSecrets, readFiles, type PlantedSecrets } from "./planted-secrets.ts";
import { createServiceWorld, subscribe, urlOf, type ServiceWorld } from "./service-world.ts";

const keysPerEnvironment = 6;
const webhooksPerEnvironment = 3;
const fewestCanaries = 40;

/** service-secrets: plants secrets of every kind, causes failures, and searches all written bytes for the secrets. */
export const plantedSecrets: ProofGroup = {
  id: "service-secrets",
  title: "No planted secret in database, log, backup, answer, webhook, metrics or command output",
  run: async ({ seed }) => {
    const total = tally();
    const planted = plantSecrets();
    const outside = await startTokenServers();
    const service = await createServiceWorld({
      name: "service-secrets",
      random: seededRandom(seed),
      connections: (baseUrl) =>
        environments.flatMap((environment) =>
          leakDocuments.map(({ procedureId }) => ({
            name: procedureId.replace("leak-", "leaky-"),
            integration: "leaky",
            environment,
            settings: { baseUrl },
            secrets: { token: planted.token(`the secret of ${procedureId} in ${environment}`) },
          })),
        ),
    });
    try {
      await play(service, planted, outside);
      judge(service, planted, total);
    } catch (error) {
      total.fail(`service-secrets: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      await service.close();
      await outside.close();
    }
    return total.result();
  },
};

/** The scenario: keys, webhooks, people, runs that fail and leak, a kill, a person's decisions, and all kinds of requests. */
async function play(service: ServiceWorld, planted: PlantedSecrets, outside: TokenServers): Promise<void> {
  const { keys, world } = service;
  planted.add("the ledger's token", world.ledgerToken);
  planted.canaries.set("the master key", { name: "the master key", bytes: Buffer.from(world.masterKey) });
  planted.add("the token of metrics", service.env["PROCEDO_METRICS_TOKEN"] ?? "");
  for (const [name, key] of Object.entries(keys)) planted.add(`the first key "${name}"`, key);

  let witness = await witnessOf(service, planted);
  const made = await plantKeys(service, witness, planted);
  await plantWebhooks(service, witness, planted);
  await plantPeople(service, witness, planted);
  for (const document of leakDocuments) {
    const body = { version: "1", document, defaultIn: ["sandbox"] };
    await witness(`/api/v1/procedures/${document.procedureId}/versions`, keys.run, { body });
    const choice = { method: "PUT", body: { version: "1" } };
    await witness(`/api/v1/procedures/${document.procedureId}/defaults/live`, keys.live, choice);
  }
  await plantTriggers(service, witness, planted);
  const callAuthorized = await plantAuthorizations(service, witness, planted, outside);
  const before = await startLeaks(witness, made);
  await callAuthorized(witness);
  await service.node.kill();
  service.boot();
  witness = await witnessOf(service, planted);
  const after = await startLeaks(witness, made);
  await callAuthorized(witness);
  await misuse(witness, made.sandbox, made.live);
  await misuse(witness, made.live, made.sandbox);
  for (const key of Object.values(made)) await untilAtRest(witness, key);
  for (const environment of environments) {
    const mine = [...before, ...after].filter((run) => run.environment === environment);
    const runIds = mine.map(({ runId }) => runId);
    await readAll(
      witness,
      { key: made[environment], metricsToken: service.env["PROCEDO_METRICS_TOKEN"] ?? "" },
      runIds,
    );
  }
  await rejectDoubts(service, witness);
  await runCommands(service, planted, before[0]?.runId ?? "");
  for (const { id } of itemsOf<{ id: string }>(await witness("/api/v1/api-keys?limit=100", keys.run)).slice(0, 4)) {
    await witness(`/api/v1/api-keys/${id}`, keys.run, { method: "DELETE" });
  }
  plantTokens(outside, planted);
  readFiles(world.databasePath, planted);
  await service.node.service.kill("SIGTERM");
  for (const { output } of service.services) planted.note("the log", output());
  for (const { path, body, headers } of service.receiver.arrivals)
    planted.note("a webhook", `${path}\n${headers}\n${body}`);
}

/** Requests to the newest process. A secret that a creation shows once is removed from the kept answer. */
async function witnessOf({ node }: ServiceWorld, planted: PlantedSecrets): Promise<Witness> {
  const url = await urlOf(node);
  return async (path, key, request) => {
    const answer = await callService(url + path, key, request);
    if (answer === undefined) throw new Error(`No answer came from ${path.slice(0, 20)}.`);
    if (answer.status >= 500) throw new Error(`${path.slice(0, 40)} answered ${answer.status}: ${answer.text}`);
    planted.note("an answer", answer.status === 201 ? answer.text.replace(/"(key|secret)":"[^"]+"/, "") : answer.text);
    return answer.text;
  };
}

/** Creates keys by the API and by the command; returns one for each environment. */
async function plantKeys(
  service: ServiceWorld,
  witness: Witness,
  planted: PlantedSecrets,
): Promise<Record<Environment, string>> {
  const { keys } = service;
  const made = { sandbox: "", live: "" };
  for (const environment of environments) {
    for (let index = 0; index < keysPerEnvironment; index++) {
      const body = { name: `${environment} ${index}`, environment, permissions: ["run", "manage"] };
      const maker = environment === "live" ? keys.live : keys.run;
      const created = JSON.parse(await witness("/api/v1/api-keys", maker, { body })) as CreatedApiKey;
      made[environment] = planted.add(`key ${index} of ${environment}`, created.key);
    }
    const { out } = await service.command("keys", "create", "--name", "shown", "--environment", environment);
    const [shown = "", ...rest] = out.split("\n");
    planted.add(`the command's key of ${environment}`, shown);
    planted.note("the command's output", rest.join("\n"));
  }
  return made;
}

/** Webhooks whose secrets are replaced while the old ones still sign. */
async function plantWebhooks(service: ServiceWorld, witness: Witness, planted: PlantedSecrets): Promise<void> {
  const url = await urlOf(service.node);
  for (const environment of environments) {
    const key = environment === "live" ? service.keys.live : service.keys.run;
    for (let index = 0; index < webhooksPerEnvironment; index++) {
      const path = `/hooks/${environment}/${index}`;
      const { id, secret } = await subscribe(service, url, { key, path });
      planted.add(`the secret of webhook ${path}`, secret);
      if (index === 0) continue;
      const body = { keepOldSecret: true };
      const rotated = await callService(`${url}/api/v1/webhooks/${id}/rotate`, key, { body });
      const { secret: next } = JSON.parse(rotated?.text ?? "{}") as Pick<CreatedWebhook, "secret">;
      service.receiver.trust(path, planted.add(`the second secret of webhook ${path}`, next));
      await witness(`/api/v1/webhooks/${id}/test`, key, { body: {} });
    }
  }
}

/** A person rejects every unknown outcome. */
async function rejectDoubts({ keys }: ServiceWorld, witness: Witness): Promise<void> {
  const open = itemsOf<Review>(await witness("/api/v1/reviews?status=open&limit=100", keys.review));
  if (open.length === 0) throw new Error("No review was opened for an unknown outcome.");
  for (const { reviewId, runId } of open) {
    const rejection = {
      approved: false,
      rejectionReason: "The outcome stays unknown.",
      idempotencyKey: randomUUID(),
      reviewId,
    };
    const answer = await witness(`/api/runner-proxy/review/${runId}`, keys.review, { body: rejection });
    if (!answer.includes("success")) throw new Error(`A rejection was refused: ${answer}`);
  }
}

async function runCommands(service: ServiceWorld, planted: PlantedSecrets, runId: string): Promise<void> {
  const { world, env } = service;
  const commands = [
    ["keys", "list"],
    ["keys", "list", "--json"],
    ["procedures", "list"],
    ["runs", "list", "--environment", "live"],
    ["runs", "show", runId],
    ["runs", "show", runId, "--json"],
    ["reviews", "list", "--status", "rejected"],
    ["audit", "verify"],
    ["audit", "export", runId],
    ["audit", "public-key"],
    ["backup", join(dirname(world.databasePath), "backup.sqlite")],
    ["keys", "delete", "nobody"],
  ];
  for (const argv of commands) {
    const { code, out, err } = await service.command(...argv);
    if (code !== 0 && argv[1] !== "delete")
      throw new Error(`procedo ${argv.join(" ")} ended with ${code}: ${err}${out}`);
    planted.note("the command's output", out + err);
  }
  const wrong = { ...env, PROCEDO_MASTER_KEY: `${env["PROCEDO_MASTER_KEY"] ?? ""}!` };
  const sink = { write: (text: string) => planted.note("the command's output", text) };
  const options = { env: wrong, integrations: serviceIntegrations, stdout: sink, stderr: sink };
  if ((await runCommand({ argv: ["keys", "list"], ...options })) === 0)
    throw new Error("A wrong master key was accepted.");
}

/** The places where user data must be found: the database's file, or its write-ahead log. */
const decoyPlaces = [
  "the file database",
  "the backup",
  "the table journal",
  "an answer",
  "a webhook",
  "the command's output",
];

function judge({ receiver }: ServiceWorld, { canaries, traces }: PlantedSecrets, total: Tally): void {
  total.add("canaries", canaries.size);
  total.add("traces", traces.length);
  total.add("kilobytes", Math.round(traces.reduce((sum, { bytes }) => sum + bytes.byteLength, 0) / 1_000));
  total.add("webhooksArrived", receiver.arrivals.length);
  for (const found of new Set(findCanaries([...canaries.values()], traces))) total.fail(`service-secrets: ${found}`);
  for (const { refused } of receiver.arrivals)
    if (refused !== undefined) total.fail(`service-secrets: a webhook was refused: ${refused}`);
  // A search without findings must have looked.
  if (canaries.size < fewestCanaries) total.fail(`service-secrets: only ${canaries.size} secrets were planted.`);
  for (const place of decoyPlaces) {
    const looked = traces.some(({ where, bytes }) => where.startsWith(place) && bytes.includes(decoy));
    if (!looked) total.fail(`service-secrets: the decoy is not in ${place}, so the search missed that place.`);
  }
  if (!traces.some(({ where, bytes }) => where === "the log" && bytes.includes("Request answered."))) {
    total.fail("service-secrets: the log contains no requests; is it the debug log?");
  }
}
