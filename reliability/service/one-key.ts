import { setTimeout as pause } from "node:timers/promises";
import { seededRandom, type SeededRandom } from "@procedo-testing/faults";
import { runPageSchema, runReplySchema } from "@procedo/contract";
import { tally, type Tally } from "../crash/tally.ts";
import { forTier, type ProofGroup } from "../proof-group.ts";
import { callService, callWell } from "./call-service.ts";
import { createServiceWorld, urlOf, type ServiceWorld } from "./service-world.ts";

const atOnce = 50;
const roundsOf = { commit: 10, nightly: 500, release: 2_000 };
const killsOf = { commit: 10, nightly: 500, release: 2_000 };
/** One request in this number is synchronous. */
const syncEvery = 5;

/** idempotent-starts: one idempotency key, many concurrent callers. */
export const oneKey: ProofGroup = {
  id: "idempotent-starts",
  title: "50 starts with one Idempotency-Key at once over HTTP, also with SIGKILL among them",
  lowered: { commit: "10 rounds of each kind rather than 20: the time of a commit" },
  run: async (options) => {
    const total = tally();
    const random = seededRandom(options.seed);
    const service = await createServiceWorld({ name: "ih", random });
    try {
      const rounds = options.seeds ?? forTier(options.tier, roundsOf);
      const kills = options.seeds ?? forTier(options.tier, killsOf);
      for (let n = 1; n <= rounds; n++) await playRound(service, n, total);
      for (let n = rounds + 1; n <= rounds + kills; n++) await playRoundWithKill(service, n, random, total);
      await countRuns(service, rounds + kills, total);
    } catch (error) {
      total.fail(`idempotent-starts seed ${options.seed}: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      await service.close();
    }
    return total.result();
  },
};

/** Fifty concurrent starts, then one with other data. */
async function playRound(service: ServiceWorld, n: number, total: Tally): Promise<void> {
  const url = await urlOf(service.node);
  const answers = await startAtOnce(service, url, n);
  judge(n, answers, total);
  const other = await start(service, url, { n, amount: n + 1_000_000, index: 1 });
  if (other.status !== 409)
    total.fail(`idempotent-starts round ${n}: other data under the same key was answered ${other.status}.`);
  total.add("rounds");
}

/**
 * Fifty concurrent starts with a kill after some answers; unanswered callers repeat their request at the next process.
 */
async function playRoundWithKill(service: ServiceWorld, n: number, random: SeededRandom, total: Tally): Promise<void> {
  const node = service.node;
  const url = await urlOf(node);
  const killAfter = random.below(atOnce);
  let answered = 0;
  let killed = killAfter === 0 ? pause(random.below(20)).then(() => node.kill()) : undefined;
  const before = await startAtOnce(service, url, n, () => {
    answered += 1;
    if (answered === killAfter) killed = node.kill();
  });
  await (killed ?? node.kill());
  const next = await urlOf(service.boot());
  const lost = before.filter(({ status }) => status === undefined);
  const again = await Promise.all(lost.map((_, index) => start(service, next, { n, index })));
  judge(n, [...before.filter(({ status }) => status !== undefined), ...again], total);
  total.add("roundsWithKill");
  total.add("answersLost", lost.length);
  if (lost.length > 0 && lost.length < atOnce) total.add("killedAmongAnswers");
}

interface Started {
  /** `undefined` without an answer. */
  readonly status: number | undefined;
  readonly runId: string | undefined;
}

async function startAtOnce(
  service: ServiceWorld,
  url: string,
  n: number,
  onAnswer: () => void = () => {},
): Promise<readonly Started[]> {
  return Promise.all(
    Array.from({ length: atOnce }, async (_, index) => {
      const started = await start(service, url, { n, index });
      if (started.status !== undefined) onAnswer();
      return started;
    }),
  );
}

/** The runs of a round park at a review, which is the answer of synchronous callers. */
async function start(
  { keys }: ServiceWorld,
  url: string,
  { n, amount = n, index }: { readonly n: number; readonly amount?: number; readonly index: number },
): Promise<Started> {
  const control = { executionMode: index % syncEvery === 0 ? "sync" : "async" };
  const answer = await callService(`${url}/v1/procedures/crash/sandbox`, keys.run, {
    body: { data: { n: amount, shape: "review" }, control },
    headers: { "idempotency-key": `round-${n}` },
  });
  if (answer === undefined || answer.status > 202) return { status: answer?.status, runId: undefined };
  return { status: answer.status, runId: runReplySchema.parse(JSON.parse(answer.text)).runId };
}

function judge(n: number, answers: readonly Started[], total: Tally): void {
  total.add("starts", answers.length);
  const refused = answers.filter(({ runId }) => runId === undefined);
  const runs = new Set(answers.map(({ runId }) => runId));
  if (refused.length > 0)
    total.fail(`idempotent-starts round ${n}: ${refused.length} starts were answered ${refused[0]?.status}.`);
  if (runs.size !== 1)
    total.fail(`idempotent-starts round ${n}: ${answers.length} starts with one key received ${runs.size} runs.`);
}

/** There are as many runs as rounds: none that no caller received. */
async function countRuns(service: ServiceWorld, rounds: number, total: Tally): Promise<void> {
  const url = await urlOf(service.node);
  let runs = 0;
  let cursor: string | undefined;
  do {
    const query = cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page = runPageSchema.parse(await callWell(`${url}/api/v1/runs?limit=100${query}`, service.keys.run));
    runs += page.data.length;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  total.add("runs", runs);
  if (runs !== rounds) total.fail(`idempotent-starts: ${rounds} rounds made ${runs} runs.`);
}
