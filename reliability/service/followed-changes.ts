import { setTimeout as pause } from "node:timers/promises";
import { seededRandom, type SeededRandom } from "@procedo-testing/faults";
import { createClient } from "@procedo/client";
import { environments, type Delivery, type Environment, type Page, type ProcedureDocument } from "@procedo/contract";
import { tally, type Tally } from "../crash/tally.ts";
import { until } from "../nodes/until.ts";
import { forTier, type ProofGroup, type ProofOptions, type ProofResult } from "../proof-group.ts";
import { callService, callWell } from "./call-service.ts";
import { differences, listReviews, listRuns, openPage, type FollowingPage } from "./following-page.ts";
import { createServiceWorld, subscribe, urlOf, type ServiceWorld } from "./service-world.ts";

/** 55 rounds have more than 10,000 changes. */
const roundsOf = { commit: 4, nightly: 55, release: 220 };
/** Of each environment and round. */
const runsPerRound = 23;
const webhooksPerEnvironment = 2;
/** The service is killed twice in every eleventh round: under load, and at rest after a change. */
const killEvery = 11;
const longestCutMs = 600;
/** Cuts of a round during which one run changes, so that a page which misses one change is found. */
const quietCuts = 3;
/** A page shows the present within the time of a few reads. */
const shownWithinMs = 8_000;
const restWithinMs = 60_000;

/** One review that needs two approvals. */
const fourEyes: ProcedureDocument = {
  schemaVersion: 1,
  procedureId: "four-eyes",
  name: "Four eyes",
  input: { type: "object" },
  nodes: [
    { id: "start", kind: "start" },
    { id: "ask", kind: "human_review", title: "Pay?", approvals: 2 },
    { id: "done", kind: "end" },
  ],
  edges: [
    { from: "start", to: "ask" },
    { from: "ask", to: "done" },
  ],
};

/** service-changes: pages that follow changes, while their streams are cut and the service is killed. */
export const followedChanges: ProofGroup = {
  id: "service-changes",
  title: "Pages that follow changes show what the lists show, after cut streams and killed services",
  run: (options) => proveFollowedChanges(options),
};

/** The same with modules that are loaded before the product. */
export async function proveFollowedChanges(
  { tier, seed, seeds, report }: ProofOptions,
  preload: readonly string[] = [],
): Promise<ProofResult> {
  const total = tally();
  const random = seededRandom(seed);
  const service = await createServiceWorld({ name: "service-changes", random, preload });
  const pages = environments.map((environment) => ({
    environment,
    page: openPage(keyOf(service, environment), () => urlOf(service.node)),
  }));
  try {
    const webhooks = await subscribeBoth(service);
    const versions = `${await urlOf(service.node)}/api/v1/procedures/four-eyes/versions`;
    await callWell(versions, service.keys.run, { body: { version: "1", document: fourEyes, defaultIn: ["sandbox"] } });
    const rounds = seeds ?? forTier(tier, roundsOf);
    for (let round = 0; round < rounds; round++) {
      await playRound({ service, pages, random, total }, round);
      if (round % 10 === 9) report(`service-changes: ${round + 1} of ${rounds} rounds`);
    }
    await judgeNames(service, pages, webhooks, total);
    for (const { environment, page } of pages) {
      total.add("runs", page.runs.size);
      total.add("reviews", page.reviews.size);
      total.add(`changes.${environment}`, page.counts.changes);
      total.add("resyncs", page.counts.resyncs);
      total.add("streams", page.counts.streams);
      await page.close();
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    total.fail(`service-changes seed ${seed}: ${message}${service.node.service.errors()}`);
  } finally {
    await Promise.all(pages.map(({ page }) => page.close().catch(() => {})));
    await service.close();
  }
  return total.result();
}

interface OpenPage {
  readonly environment: Environment;
  readonly page: FollowingPage;
}

interface Round {
  readonly service: ServiceWorld;
  readonly pages: readonly OpenPage[];
  readonly random: SeededRandom;
  readonly total: Tally;
}

function keyOf({ keys }: ServiceWorld, environment: Environment): string {
  return environment === "live" ? keys.live : keys.run;
}

async function subscribeBoth(service: ServiceWorld) {
  const url = await urlOf(service.node);
  const webhooks: { readonly environment: Environment; readonly id: string }[] = [];
  for (const environment of environments) {
    for (let index = 0; index < webhooksPerEnvironment; index++) {
      const path = `/hooks/${environment}/${index}`;
      const { id } = await subscribe(service, url, { key: keyOf(service, environment), path });
      webhooks.push({ environment, id });
    }
  }
  return webhooks;
}

/** Starts runs in both environments and disturbs the pages meanwhile. Afterwards they have to show what the lists show. */
async function playRound(world: Round, round: number): Promise<void> {
  const { pages, total } = world;
  const isKill = round % killEvery === 1;
  const begun = Promise.withResolvers<void>();
  const starting = startRuns(world, round, begun.resolve);
  await Promise.race([begun.promise, starting]);
  if (isKill) await killService(world);
  else if (round % 2 === 0) await cutStreams(world);
  await starting;
  await decideSome(world);
  await untilAtRest(pages);
  await untilShown(pages, `in round ${round}`);
  await approveOnce(world);
  await untilShown(pages, `after the first of two approvals in round ${round}`);
  if (round % 2 === 0) return;
  for (let cut = 1; cut <= quietCuts; cut++) {
    const resume = pages.map(({ page }) => page.cut());
    total.add("cuts");
    await cancelOne(pages, total);
    await untilAtRest(pages);
    // Only the process that is killed could name the change.
    if (isKill && cut === 1) await killService(world);
    for (const open of resume) open();
    await untilShown(pages, `after quiet cut ${cut} of round ${round}`);
  }
}

async function killService({ service, total }: Round): Promise<void> {
  await service.node.kill();
  service.boot();
  await urlOf(service.node);
  total.add("kills");
}

async function cutStreams({ pages, random, total }: Round): Promise<void> {
  const resume = pages.map(({ page }) => page.cut());
  await pause(random.below(longestCutMs));
  for (const open of resume) open();
  total.add("cuts");
}

/** Starts that are lost are repeated with their key. */
async function startRuns({ service, random }: Round, round: number, onHalf: () => void): Promise<void> {
  let answered = 0;
  const starts = environments.flatMap((environment) =>
    Array.from({ length: runsPerRound }, (_, index) => {
      return { environment, n: 1 + round * runsPerRound + index, shape: random.chance(0.4) ? "review" : "plain" };
    }),
  );
  const start = async ({ environment, n, shape }: (typeof starts)[number]): Promise<void> => {
    const request = { body: { data: { n, shape } }, headers: { "idempotency-key": `start-${n}` } };
    await until(async () => {
      const url = `${await urlOf(service.node)}/v1/procedures/crash/${environment}`;
      const answer = await callService(url, keyOf(service, environment), request);
      return answer?.status === 202;
    }, `the start ${n} of ${environment} is accepted`);
    answered += 1;
    if (answered === runsPerRound) onHalf();
  };
  await Promise.all(starts.map(start));
}

/** Decides about half of the open reviews of the sandbox, a third of them by a rejection. */
async function decideSome({ service, random, total }: Round): Promise<void> {
  const reviewer = createClient({ apiKey: service.keys.review, runnerUrl: await urlOf(service.node) });
  for await (const review of reviewer.reviews.all({ status: "open", decidable: true })) {
    if (review.kind !== "human_review" || random.chance(0.5)) continue;
    const isApproved = random.chance(0.67);
    await reviewer.reviews.decide(
      review,
      isApproved ? { approved: true } : { approved: false, rejectionReason: "No." },
    );
    total.add("decisions");
  }
}

/** Gives the first of two approvals, after which the review stays open and its run rests. */
async function approveOnce({ service, pages, total }: Round): Promise<void> {
  const sandbox = pages.find(({ environment }) => environment === "sandbox");
  if (sandbox === undefined) return;
  const { runId } = await sandbox.page.client.start("four-eyes", { data: {} });
  await sandbox.page.client.runs.wait(runId, { timeoutMs: restWithinMs });
  await untilShown(pages, "after the start of a run with two approvals");
  const reviewer = createClient({ apiKey: service.keys.review, runnerUrl: await urlOf(service.node) });
  const [review] = (await reviewer.reviews.list({ decidable: true, procedureId: "four-eyes" })).data;
  if (review === undefined) throw new Error(`Run ${runId} has no review to decide.`);
  await reviewer.reviews.decide(review, { approved: true });
  total.add("firstApprovals");
}

/** Cancels one run of each environment that waits for a person. */
async function cancelOne(pages: readonly OpenPage[], total: Tally): Promise<void> {
  for (const { page } of pages) {
    const [waiting] = (await page.client.runs.list({ status: "awaiting_review", limit: 1 })).data;
    if (waiting === undefined) continue;
    await page.client.runs.cancel(waiting.runId);
    await page.client.runs.wait(waiting.runId, { waitThroughReviews: true, timeoutMs: restWithinMs });
    total.add("quietChanges");
  }
}

async function untilAtRest(pages: readonly OpenPage[]): Promise<void> {
  for (const { environment, page } of pages) {
    const isAtRest = async (): Promise<boolean> =>
      (await page.client.runs.list({ status: "running", limit: 1 })).data.length === 0;
    await until(isAtRest, `the runs of ${environment} rest`, restWithinMs);
  }
}

/** @throws Error if a page does not show the present in time */
async function untilShown(pages: readonly OpenPage[], when: string): Promise<void> {
  const giveUpAt = performance.now() + shownWithinMs;
  for (const { environment, page } of pages) {
    for (;;) {
      const wrong = [
        ...differences("Run", page.runs, await listRuns(page.client)),
        ...differences("Review", page.reviews, await listReviews(page.client)),
      ];
      if (wrong.length === 0) break;
      if (performance.now() > giveUpAt) {
        throw new Error(`${when}, ${wrong.length} of ${environment} are shown wrongly: ${wrong.slice(0, 3).join(" ")}`);
      }
      await pause(50);
    }
  }
}

/** Every id that a page was told belongs to its environment. */
async function judgeNames(
  service: ServiceWorld,
  pages: readonly OpenPage[],
  webhooks: Awaited<ReturnType<typeof subscribeBoth>>,
  total: Tally,
): Promise<void> {
  const url = await urlOf(service.node);
  for (const { environment, page } of pages) {
    const known = new Set([...page.runs.keys(), ...page.reviews.keys()]);
    for (const webhook of webhooks.filter((one) => one.environment === environment)) {
      const list = `${url}/api/v1/webhooks/${webhook.id}/deliveries?limit=100`;
      for (let next = list; next !== "";) {
        const answer = await callWell<Page<Delivery>>(next, keyOf(service, environment));
        for (const { id } of answer.data) known.add(id);
        next = answer.nextCursor === undefined ? "" : `${list}&cursor=${encodeURIComponent(answer.nextCursor)}`;
      }
    }
    const foreign = [...page.named].filter((id) => !known.has(id));
    total.add(`named.${environment}`, page.named.size);
    if (foreign.length > 0) {
      total.fail(`service-changes: the page of ${environment} was told of ${foreign.length} others: ${foreign[0]}.`);
    }
  }
}
