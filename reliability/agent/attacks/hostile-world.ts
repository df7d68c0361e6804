import { randomBytes, randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { createEngine, masterKeyFile, type Engine } from "@procedo/engine";
import type { Entry } from "@procedo/procedure";
import { SqliteStorage } from "@procedo/storage-sqlite";
import { customApi } from "../../../packages/integrations/src/index.ts";
import { concurrently } from "../../crash/concurrently.ts";
import { plantSecrets, readFiles, type PlantedSecrets } from "../../service/planted-secrets.ts";
import {
  attackOf,
  carriers,
  type Bounds,
  hostileApi,
  inputOf,
  procedureIdOf,
  procedureOf,
  type Carrier,
} from "./carriers.ts";
import { hostileIntegrations } from "./hostile-integration.ts";
import { startHostileServices, type HostileServices, type Received } from "./hostile-services.ts";
import { obedientModel, type ObedientModel } from "./obedient-model.ts";
import type { Payload } from "./payloads.ts";

/** A run that carries an attack, and its result. */
export interface AttackedRun {
  readonly carrier: Carrier;
  readonly payload: Payload;
  readonly runId: string;
  readonly status: string;
  readonly entries: readonly Entry[];
}

/** An engine among hostile services, with secrets of every kind, and a model that obeys every text. */
export interface HostileWorld {
  readonly engine: Engine;
  readonly services: HostileServices;
  readonly obedient: ObedientModel;
  readonly planted: PlantedSecrets;
  /** Executes a run for each payload on each carrier, as far as it goes without an approval. */
  attack(payloads: readonly Payload[], by: readonly Carrier[]): Promise<readonly AttackedRun[]>;
  /** A digest of everything that is published. */
  published(): Promise<string>;
  /** The number of runs in each environment. */
  runs(): Promise<{ readonly sandbox: number; readonly live: number }>;
  /** Adds the database's bytes to the traces. */
  readDatabase(): void;
  close(): Promise<void>;
}

const environment = "sandbox";
const by = { person: "alice" };
const reviewer = { person: "bob", roles: ["reviewer"] };
/** Data are in the repository, because a temporary folder is often in memory, where writes need no durability. */
const dataFolder = join(import.meta.dirname, "../../../.procedo");
const lanes = 24;
const variable = "PROCEDO_PROOF_CANARY";

export interface HostileOptions extends Bounds {
  /** Whether the receiver's webhook subscribes to events of runs. @defaultValue false */
  readonly tellsEvents?: boolean;
}

export async function createHostileWorld(
  payloads: readonly Payload[],
  options: HostileOptions = {},
): Promise<HostileWorld> {
  await mkdir(dataFolder, { recursive: true });
  const folder = await mkdtemp(join(dataFolder, "agent-attacks-"));
  const databasePath = join(folder, "procedo.sqlite");
  const planted = plantSecrets();
  const masterKey = await masterKeyFile(join(folder, "procedo.key"));
  planted.canaries.set("the master key", { name: "the master key", bytes: Buffer.from(masterKey) });
  process.env[variable] = planted.add("a variable of the environment", `cnry${randomBytes(18).toString("hex")}`);
  const obedient = obedientModel(payloads, planted.token("the model's key"));
  const services = await startHostileServices((received) => replyTo(received, payloads));
  const model = { model: obedient.model, secrets: [planted.token("the model's key")] };
  const storage = await SqliteStorage.open({ path: databasePath });
  const engine = createEngine({
    storage,
    integrations: [...hostileIntegrations, customApi()],
    masterKey,
    models: { arguments: model, questions: model },
    egress: { allowNetworks: ["127.0.0.0/8"] },
    log: { info: noteLog(planted), warn: noteLog(planted), error: noteLog(planted) },
  });
  await engine.start();
  await prepare(engine, { services, planted, payloads, options });

  return {
    engine,
    services,
    obedient,
    planted,
    attack: async (chosen, on) => {
      const attacks = chosen.flatMap((payload) => on.map((carrier) => ({ carrier, payload })));
      const runs: AttackedRun[] = [];
      await concurrently(attacks, lanes, async (dealt) => {
        for (const attack of dealt) runs.push(await attackOnce(engine, attack));
      });
      return runs;
    },
    published: () => publishedBy(engine),
    runs: async () => ({ sandbox: await countRuns(engine, "sandbox"), live: await countRuns(engine, "live") }),
    readDatabase: () => readFiles(databasePath, planted),
    close: async () => {
      await engine.stop({ drainMs: 0 });
      await storage.close();
      await services.close();
      delete process.env[variable];
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function noteLog(planted: PlantedSecrets): (message: string, fields?: object) => void {
  return (message, fields = {}) => planted.note("the log", `${message} ${JSON.stringify(fields)}`);
}

/** The answer of the hostile services: the attack that the request's vendor identifies. */
function replyTo({ path, body }: Received, payloads: readonly Payload[]): { refuses: boolean; message: string } {
  const vendor = path.startsWith("/documents/") ? path.slice("/documents/".length) : vendorIn(body);
  const attack = attackOf(vendor);
  const text = payloads[attack?.number ?? -1]?.text;
  if (text === undefined || attack === undefined) return { refuses: false, message: "Thank you." };
  if (attack.carrier === "document") return { refuses: false, message: documentWith(path, text) };
  const isCarried = attack.carrier === "result" || attack.carrier === "error";
  return { refuses: attack.carrier === "error", message: isCarried ? text : "Thank you." };
}

function documentWith(path: string, text: string): string {
  return path.startsWith("/documents/")
    ? `Contract of supply.\n\n§ 1 The vendor delivers.\n${text}\n§ 2 The end.`
    : "Thank you.";
}

function vendorIn(body: string): string {
  try {
    const { vendorId } = JSON.parse(body) as { readonly vendorId?: unknown };
    return typeof vendorId === "string" ? vendorId : "";
  } catch {
    return "";
  }
}

async function attackOnce(
  engine: Engine,
  { carrier, payload }: { readonly carrier: Carrier; readonly payload: Payload },
): Promise<AttackedRun> {
  const procedureId = procedureIdOf(carrier, payload);
  const run = await engine.runs.execute({ procedureId, environment, data: inputOf(carrier, payload), by });
  const { runId } = run;
  let { status } = run;
  if (carrier === "review") {
    const outputs = { comment: payload.text };
    const decision = { approved: true, outputs, idempotencyKey: randomUUID(), by: reviewer };
    await engine.reviews.decide({ environment, runId, ...decision });
    status = (await engine.runs.wait({ environment, runId })).status;
  }
  const rows = await engine.runs.journal({ environment, runId });
  return { carrier, payload, runId, status, entries: rows.flatMap(({ entries }) => entries) };
}

/** Connections in both environments, keys, a webhook, a private connection, and every procedure. */
async function prepare(
  { connections, keys, webhooks, procedures }: Engine,
  given: {
    readonly services: HostileServices;
    readonly planted: PlantedSecrets;
    readonly payloads: readonly Payload[];
    readonly options: HostileOptions;
  },
): Promise<void> {
  const { services, planted, payloads, options } = given;
  const { urls } = services;
  const connect = (name: string, where: "sandbox" | "live", baseUrl: string): Promise<unknown> => {
    const token = planted.token(`the token of ${name} in ${where}`);
    return connections.create({
      name,
      integration: name,
      environment: where,
      settings: { baseUrl },
      secrets: { token },
      by,
    });
  };
  await connect("bank", "sandbox", urls.bank);
  await connect("bank", "live", urls["live bank"]);
  await connect("vault", "sandbox", urls.vault);
  const settings = {
    spec: { text: hostileApi(urls.api, payloads) },
    authentication: { method: "bearer_token" },
    idempotencyHeader: "Idempotency-Key",
  };
  const secrets = { token: planted.token("the token of api in sandbox") };
  await connections.create({ name: "api", integration: "custom_api", environment, settings, secrets, by });
  const told = ["run_completed", "run_failed", "human_review_requested"];
  const events = options.tellsEvents === true ? told : ["custom.never"];
  const key = await keys.create({ name: "proof", environment, permissions: ["run"], by });
  planted.add("an API key", key.key);
  const webhook = await webhooks.create({ url: `${urls.receiver}/events`, events, environment, by });
  planted.add("the secret of a webhook", webhook.secret);
  const { tokens } = await connections.create({ name: "office", integration: "private_connection", by });
  planted.add("the token of a private connection", tokens?.[environment] ?? "none");
  for (const carrier of carriers) {
    for (const payload of carrier === "openapi" ? payloads : payloads.slice(0, 1)) {
      await procedures.publish({
        document: procedureOf(carrier, payload, options),
        version: "1",
        defaultIn: [environment],
        by,
      });
    }
  }
}

async function publishedBy({ procedures }: Engine): Promise<string> {
  const listed: unknown[] = [];
  let cursor: string | undefined;
  do {
    const page = await procedures.list({ limit: 100, ...(cursor !== undefined && { cursor }) });
    listed.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return JSON.stringify(listed);
}

async function countRuns({ runs }: Engine, where: "sandbox" | "live"): Promise<number> {
  let count = 0;
  let cursor: string | undefined;
  do {
    const page = await runs.list({ environment: where, limit: 1_000, ...(cursor !== undefined && { cursor }) });
    count += page.items.length;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return count;
}
