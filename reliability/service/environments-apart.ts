import { setTimeout as pause } from "node:timers/promises";
import { seededRandom } from "@procedo-testing/faults";
import { environments, type Delivery, type Environment, type Page } from "@procedo/contract";
import { tally, type Tally } from "../crash/tally.ts";
import { forTier, type ProofGroup } from "../proof-group.ts";
import { callService, callWell } from "./call-service.ts";
import { createServiceWorld, subscribe, urlOf, type ServiceWorld } from "./service-world.ts";

/** Runs in each environment. Each run that is not rejected has three events, for each of two webhooks. */
const runsOf = { commit: 200, nightly: 5_000, release: 20_000 };
const webhooksPerEnvironment = 2;
const eventsPerRun = 3;
/** Maximum number of unanswered starts. */
const atOnce = 20;
const arrivedWithinMs = 30_000;

/** service-environments: both environments at work on one server, with the webhooks of both at one receiver. */
export const environmentsApart: ProofGroup = {
  id: "service-environments",
  title: "No event of one environment reaches a webhook of the other, and no key reaches across",
  run: async ({ tier, seed, seeds }) => {
    const total = tally();
    const service = await createServiceWorld({ name: "environments-apart", random: seededRandom(seed) });
    try {
      const webhooks = await subscribeBoth(service);
      const runs = await startBoth(service, seeds ?? forTier(tier, runsOf));
      const wanted = runs.length * eventsPerRun * webhooksPerEnvironment;
      await untilArrived(service, wanted);
      await tryAcross(service, webhooks, runs, total);
      // Events that were sent to the wrong environment earlier would have arrived before these.
      await sendLast(service, webhooks);
      await untilArrived(service, wanted + webhooks.length);
      judgeArrivals(service, webhooks, runs, total);
      const arrived = service.receiver.arrivals.length - webhooks.length;
      if (arrived !== wanted) total.fail(`service-environments: ${arrived} deliveries arrived, ${wanted} were due.`);
    } catch (error) {
      total.fail(`service-environments seed ${seed}: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      await service.close();
    }
    return total.result();
  },
};

interface Subscribed {
  readonly id: string;
  readonly environment: Environment;
  readonly path: string;
}

interface StartedIn {
  readonly runId: string;
  readonly environment: Environment;
}

function keyOf({ keys }: ServiceWorld, environment: Environment): string {
  return environment === "live" ? keys.live : keys.run;
}

async function subscribeBoth(service: ServiceWorld): Promise<readonly Subscribed[]> {
  const url = await urlOf(service.node);
  const subscribed: Subscribed[] = [];
  for (let index = 0; index < webhooksPerEnvironment; index++) {
    for (const environment of environments) {
      const path = `/hooks/${environment}/${index}`;
      const { id } = await subscribe(service, url, { key: keyOf(service, environment), path });
      subscribed.push({ id, environment, path });
    }
  }
  return subscribed;
}

/** Starts as many runs in each environment, in turns. */
async function startBoth(service: ServiceWorld, count: number): Promise<readonly StartedIn[]> {
  const url = await urlOf(service.node);
  const wanted = Array.from({ length: count }, (_, n) =>
    environments.map((environment) => ({ environment, n })),
  ).flat();
  const started: StartedIn[] = [];
  const startNext = async (): Promise<void> => {
    for (let next = wanted.shift(); next !== undefined; next = wanted.shift()) {
      const { environment, n } = next;
      const body = { data: { n: n + 1, shape: "plain" } };
      const path = `${url}/v1/procedures/crash/${environment}`;
      const { runId } = await callWell<{ runId: string }>(path, keyOf(service, environment), { body });
      started.push({ runId, environment });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, startNext));
  return started;
}

/** Waits for this number of arrivals, up to a time limit, after which missing ones are counted. */
async function untilArrived({ receiver }: ServiceWorld, wanted: number): Promise<void> {
  const giveUpAt = performance.now() + arrivedWithinMs;
  while (receiver.arrivals.length < wanted && performance.now() < giveUpAt) await pause(50);
}

/** Each arrival belongs to its webhook's environment: its path, its signature, its content and its run. */
function judgeArrivals(
  { receiver }: ServiceWorld,
  webhooks: readonly Subscribed[],
  runs: readonly StartedIn[],
  total: Tally,
): void {
  const ofPath = new Map(webhooks.map((webhook) => [webhook.path, webhook.environment]));
  const ofRun = new Map(runs.map(({ runId, environment }) => [runId, environment]));
  for (const { path, event, refused } of receiver.arrivals) {
    if (event === undefined) {
      total.fail(`service-environments: a delivery to ${path} was refused: ${refused}.`);
      continue;
    }
    const environment = ofPath.get(path);
    const { data } = event;
    total.add(`events.${data.environment}`);
    const isSample = !ofRun.has(data.runId);
    if (data.environment !== environment || (!isSample && ofRun.get(data.runId) !== environment)) {
      total.fail(`service-environments: ${event.event} of ${data.runId} (${data.environment}) arrived at ${path}.`);
    }
  }
}

/**
 * Requests the other environment's resources with each environment's key: each request is denied or answered with not
 * found, and nothing is sent.
 */
async function tryAcross(
  service: ServiceWorld,
  webhooks: readonly Subscribed[],
  runs: readonly StartedIn[],
  total: Tally,
): Promise<void> {
  const url = await urlOf(service.node);
  const denied = async (path: string, key: string, method: string, body?: unknown): Promise<void> => {
    const answer = await callService(url + path, key, { method, body });
    total.add("triedAcross");
    if (answer?.status !== 403 && answer?.status !== 404) {
      total.fail(`service-environments: ${method} ${path} across environments was answered ${answer?.status}.`);
    }
  };
  for (const { id, environment } of webhooks) {
    const other = environment === "live" ? service.keys.run : service.keys.live;
    const path = `/api/v1/webhooks/${id}`;
    const list = await callWell<Page<Delivery>>(`${url}${path}/deliveries`, keyOf(service, environment));
    await denied(path, other, "GET");
    await denied(`${path}/deliveries`, other, "GET");
    await denied(path, other, "PATCH", { isActive: false });
    await denied(`${path}/rotate`, other, "POST", {});
    await denied(`${path}/test`, other, "POST", {});
    await denied(`${path}/deliveries/${list.data[0]?.id}/resend`, other, "POST", {});
    await denied(path, other, "DELETE");
    await denied(`${path}?environment=${environment}`, other, "GET");
  }
  for (const environment of environments) {
    const other = environment === "live" ? service.keys.run : service.keys.live;
    const runId = runs.find((run) => run.environment === environment)?.runId ?? "";
    await denied(`/runs/${runId}`, other, "GET");
    await denied(`/api/v1/runs/${runId}/audit`, other, "GET");
    await denied(`/api/v1/runs/${runId}/cancel`, other, "POST", {});
    await denied(`/v1/procedures/crash/${environment}`, other, "POST", { data: { n: 1, shape: "plain" } });
  }
}

/** Sends a sample to each webhook. */
async function sendLast(service: ServiceWorld, webhooks: readonly Subscribed[]): Promise<void> {
  const url = await urlOf(service.node);
  for (const { id, environment } of webhooks) {
    await callWell(`${url}/api/v1/webhooks/${id}/test`, keyOf(service, environment), { body: {} });
  }
}
