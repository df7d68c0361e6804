import { dirname } from "node:path";
import type { SeededRandom } from "@procedo-testing/faults";
import { environments, type CreatedApiKey, type CreatedWebhook, type Environment } from "@procedo/contract";
import { runCommand } from "@procedo/server";
import { crashProcedure } from "../crash/crash-procedure.ts";
import { createWorld, type World } from "../crash/world.ts";
import { callWell } from "./call-service.ts";
import { httpNode, type HttpNode, type HttpNodePorts } from "./http-node.ts";
import { startReceiver, type Receiver } from "./receiver.ts";
import { serviceIntegrations } from "./service-integrations.ts";
import { startService, type ConnectionSetup, type ServiceNode } from "./service-node.ts";

/**
 * The clock lead of each process over the one before: leases of the killed process have expired, and failed deliveries
 * are due again.
 */
const betweenLivesMs = 61_000;

/** A database, a ledger, a receiver of webhooks, and the consecutive service processes. */
export interface ServiceWorld {
  readonly world: World;
  readonly receiver: Receiver;
  /** The environment of the operator's commands. */
  readonly env: Readonly<Record<string, string>>;
  readonly keys: HttpNodePorts["keys"];
  /** All processes so far; the last one may live. */
  readonly services: readonly ServiceNode[];
  /** The newest process. */
  readonly node: HttpNode;
  /** Starts the next process, at least a minute later by its clock. The previous one is dead. */
  boot(laterMs?: number): HttpNode;
  /** Runs the `procedo` command beside the service process. */
  command(...argv: readonly string[]): Promise<CommandEnd>;
  close(): Promise<void>;
}

export interface CommandEnd {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface ServiceWorldOptions {
  readonly name: string;
  readonly random: SeededRandom;
  /** Integrations besides the ledger's, which both environments have. @defaultValue none */
  readonly connections?: (ledgerUrl: string) => readonly ConnectionSetup[];
  /** Modules that each process loads before the product. @defaultValue none */
  readonly preload?: readonly string[];
  /** @defaultValue synchronous replies are not recorded */
  readonly onRested?: HttpNodePorts["onRested"];
}

/** Sets up keys, connections and the crash procedure for both environments, and boots the first process. */
export async function createServiceWorld(options: ServiceWorldOptions): Promise<ServiceWorld> {
  const { name, random, connections = () => [], preload = [], onRested = () => {} } = options;
  const receiver = await startReceiver();
  const services: ServiceNode[] = [];
  const keys: Record<keyof HttpNodePorts["keys"], string> = { run: "", review: "", live: "" };
  let aheadMs = -betweenLivesMs;
  let extraMs = 0;
  let node: HttpNode | undefined;
  const world = await createWorld({
    name,
    random,
    start: ({ ledgerUrl, ledgerToken }) => {
      aheadMs += betweenLivesMs + extraMs;
      const settings = { baseUrl: ledgerUrl };
      const bank = { name: "bank", integration: "bank", settings, secrets: { token: ledgerToken } };
      const banks = environments.map((environment) => ({ ...bank, environment }));
      const setup = { env, clockAheadMs: aheadMs, connections: [...banks, ...connections(ledgerUrl)], preload };
      const service = startService(setup);
      services.push(service);
      node = httpNode(service, { keys, onRested, clockAheadMs: aheadMs });
      return node;
    },
  }).catch(async (error: unknown) => {
    await receiver.close();
    throw error;
  });
  const env = {
    PORT: "0",
    PROCEDO_DATA_DIR: dirname(world.databasePath),
    PROCEDO_MASTER_KEY: Buffer.from(world.masterKey).toString("hex"),
    PROCEDO_ALLOW_NETWORKS: "127.0.0.0/8",
    PROCEDO_LOG_LEVEL: "debug",
    PROCEDO_METRICS_TOKEN: "mt_0123456789abcdef0123456789abcdef",
  };
  const boot = (laterMs = 0): HttpNode => {
    extraMs = laterMs;
    world.boot();
    if (node === undefined) throw new Error("No process was started.");
    return node;
  };
  const command = async (...argv: readonly string[]): Promise<CommandEnd> => {
    let out = "";
    let err = "";
    const code = await runCommand({
      argv,
      env,
      integrations: serviceIntegrations,
      stdout: { write: (text) => (out += text) },
      stderr: { write: (text) => (err += text) },
    });
    return { code, out, err };
  };
  const close = async (): Promise<void> => {
    await world.close();
    await receiver.close();
  };
  try {
    const url = await urlOf(boot());
    keys.run = await makeKey(command, "sandbox", "run,manage", "starter");
    keys.review = await makeKey(command, "sandbox", "review", "reviewer");
    keys.live = await makeKey(command, "live", "run,manage", "starter");
    const versions = `${url}/api/v1/procedures/crash/versions`;
    await callWell(versions, keys.run, { body: { version: "1", document: crashProcedure, defaultIn: ["sandbox"] } });
    await callWell(`${url}/api/v1/procedures/crash/defaults/live`, keys.live, {
      method: "PUT",
      body: { version: "1" },
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const failure = new Error(`${message}${node?.service.errors() ?? ""}`, { cause: error });
    await close();
    throw failure;
  }
  return {
    world,
    receiver,
    env,
    keys,
    services,
    boot,
    command,
    close,
    get node() {
      if (node === undefined) throw new Error("No process was started.");
      return node;
    },
  };
}

/**
 * The address of a node.
 *
 * @throws Error if it ended before it served
 */
export async function urlOf({ service }: HttpNode): Promise<string> {
  const url = await service.url;
  if (url === undefined) throw new Error(`A process ended before it served, by ${service.end}: ${service.output()}`);
  return url;
}

/** Creates a webhook for all events of the crash procedure, and gives its secret to the receiver. */
export async function subscribe(
  { receiver }: Pick<ServiceWorld, "receiver">,
  url: string,
  { key, path }: { readonly key: string; readonly path: string },
): Promise<CreatedWebhook> {
  const events = ["run_completed", "run_failed", "human_review_requested", "custom.pay_made", "custom.deposit_made"];
  const body = { url: receiver.url + path, events };
  const webhook = await callWell<CreatedWebhook>(`${url}/api/v1/webhooks`, key, { body });
  receiver.trust(path, webhook.secret);
  return webhook;
}

async function makeKey(
  command: ServiceWorld["command"],
  environment: Environment,
  permissions: string,
  person: string,
): Promise<string> {
  const flags = ["--name", `${person} in ${environment}`, "--environment", environment, "--permissions", permissions];
  const { code, out, err } = await command("keys", "create", ...flags, "--person", person, "--json");
  if (code !== 0) throw new Error(`A key could not be created: ${err}`);
  return (JSON.parse(out) as CreatedApiKey).key;
}
