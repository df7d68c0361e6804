import { setTimeout as pause } from "node:timers/promises";
import { seededRandom, type SeededRandom } from "@procedo-testing/faults";
import type { Delivery, Page } from "@procedo/contract";
import { askedInVain, callsUnderWay, mostTold } from "../crash/calls-under-way.ts";
import { countWhatHappened } from "../crash/count-what-happened.ts";
import { drive } from "../crash/drive.ts";
import { expectEnd, finish } from "../crash/kill-at.ts";
import { concurrently } from "../crash/concurrently.ts";
import { tally, type Tally } from "../crash/tally.ts";
import { forTier, type ProofGroup, type ProofOptions } from "../proof-group.ts";
import { createLoad, type Load } from "./application-load.ts";
import { callWell } from "./call-service.ts";
import { judgeReceipts } from "./judge-receipts.ts";
import type { Receiver } from "./receiver.ts";
import { createServiceJudge, type KeylessStart } from "./service-judge.ts";
import { createServiceWorld, subscribe, urlOf } from "./service-world.ts";
import { announcedEnd, type AnnouncedEnd } from "./announced-ends.ts";

const killsOf = { commit: 30, nightly: 2_000, release: 10_000 };

const killsPerWorld = 50;
/** The length of a process's life, in polls: a busy machine makes polls slower, and not fewer. */
const mostLooks = 8;
const mostArrivals = 10;
const startingMs = 700;
/** The ledger's delay before a drain, shorter than the timeout of a payment. */
const lateAnswerMs = 150;
/** The time after which the process is killed without polls or arrivals. */
const longestWaitMs = 5_000;
const path = "/hooks/payments";
const dayMs = 86_400_000;
const deliveredWithinMs = 30_000;

/** The moments of the kills, in turn; `drained`: the process receives SIGTERM while it works. */
const moments = ["working", "arrived", "starting", "answered", "drained"] as const;

type Moment = (typeof moments)[number];

function momentOf(kill: number): Moment {
  return moments[kill % moments.length] ?? "working";
}

/** service-kills: kills of the service under HTTP load, and while it delivers webhooks. */
export const serviceKills: ProofGroup = {
  id: "service-kills",
  title: "SIGKILL and drain of the whole service under HTTP load, and while it delivers webhooks",
  lowered: { commit: "30 kills of 100: the time of a commit" },
  run: async (options) => {
    const total = tally();
    const kills = options.seeds ?? forTier(options.tier, killsOf);
    const perWorld = Math.min(killsPerWorld, Math.ceil(kills / 2));
    const worlds = Array.from({ length: Math.ceil(kills / perWorld) }, (_, number) => {
      return { number, kills: Math.min(perWorld, kills - number * perWorld) };
    });
    await concurrently(worlds, 2, async (lane) => {
      for (const world of lane) await killOften(options, world, total);
    });
    return total.result();
  },
};

async function killOften(
  options: ProofOptions,
  { number, kills }: { readonly number: number; readonly kills: number },
  total: Tally,
): Promise<void> {
  const what = `service-kills seed ${options.seed}, database ${number}`;
  const random = seededRandom(options.seed * 1_000 + number);
  const endings: AnnouncedEnd[] = [];
  const keyless: KeylessStart[] = [];
  const drains: { readonly sinceMs: number; readonly atMs: number }[] = [];
  const hear = (ending: AnnouncedEnd | undefined): void => {
    if (ending !== undefined) endings.push(ending);
  };
  const service = await createServiceWorld({
    name: "service-kills",
    random,
    onRested: (reply) => hear(announcedEnd(reply)),
  });
  const { world, receiver } = service;
  try {
    const webhook = await subscribe(service, await urlOf(service.node), { key: service.keys.run, path });
    const judge = createServiceJudge(world, { keyless, endings });
    const lives = random.fork("lives");
    const answers = random.fork("answers");
    receiver.answerWith(() => (answers.chance(0.1) ? 500 : 200));
    for (let kill = 0; kill < kills; kill++) {
      const node = kill === 0 ? service.node : service.boot();
      const load = createLoad(service, node, { random, keyless, hear });
      const driven = drive(world, node, { feed: load.feed });
      // Awaited when the process is dead.
      driven.catch(() => {});
      const moment = momentOf(kill);
      const sinceMs = Date.now() + node.clockAheadMs;
      if (moment === "drained") await world.ledger.answerLate(lateAnswerMs);
      await untilItDies(moment, load, receiver, lives);
      if (!node.alive) throw new Error(`The service died by itself, by ${node.end}.`);
      const faults = kill % 10 === 9 ? (await judge.check("under way")).faults : [];
      const atMs = Date.now() + node.clockAheadMs;
      await node.service.kill(moment === "drained" ? "SIGTERM" : "SIGKILL");
      await Promise.all([driven, load.done()]);
      expectEnd(node, moment === "drained" ? "exit code 0" : "SIGKILL");
      if (faults.length > 0) throw new Error(`before kill ${kill + 1}: ${faults.join(" ")}`);
      if (moment === "drained") {
        drains.push({ sinceMs, atMs });
        await world.ledger.answerLate(0);
      }
      total.add("kills");
      total.add(`kills.${moment}`);
      if (kill % 10 === 9) options.report(`database ${number}: ${kill + 1} kills, ${world.starts.length} runs started`);
    }
    receiver.answerWith(() => 200);
    // A day later every failed delivery is due again.
    const survivor = service.boot(dayMs);
    const evidence = await finish(world, judge, survivor);
    countWhatHappened(total, evidence);
    const heard = drains.flatMap((life) => callsUnderWay(evidence.runs, life));
    total.add("drained.inFlight", heard.length);
    const vain = askedInVain(heard);
    if (vain.length > 0) throw new Error(vain.slice(0, mostTold).join(" "));
    const told = await untilDelivered(await urlOf(survivor), service.keys.run, webhook.id);
    const faults = judgeReceipts({ told, stored: evidence.database.deliveries, arrivals: receiver.arrivals });
    const verified = await service.command("audit", "verify");
    if (verified.code !== 0) total.fail(`${what}: audit verify says ${verified.out}${verified.err}`);
    if (faults.length > 0) throw new Error(faults.slice(0, 20).join(" "));
    total.add("keylessStarts", keyless.length);
    total.add("endingsTold", endings.length);
    total.add("deliveries", told.length);
    total.add("arrivals", receiver.arrivals.length);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    total.fail(`${what}: ${message}${service.node.service.errors()}`);
  } finally {
    await service.close();
  }
}

/** Waits for the moment, up to the time limit. */
async function untilItDies(moment: Moment, load: Load, receiver: Receiver, lives: SeededRandom): Promise<void> {
  if (moment === "starting") return pause(lives.below(startingMs));
  const looks = 1 + lives.below(mostLooks);
  const arrivals = lives.below(mostArrivals);
  const reached = async (): Promise<void> => {
    await load.looked(looks);
    if (moment === "working" || moment === "drained") return pause(lives.below(20));
    for (let arrival = 0; arrival <= arrivals; arrival++) {
      await new Promise<void>((resolve) => receiver.onNext(moment, resolve));
    }
  };
  await Promise.race([reached(), pause(longestWaitMs)]);
}

/** All deliveries of a webhook, once none is pending. */
async function untilDelivered(url: string, key: string, webhookId: string): Promise<readonly Delivery[]> {
  const giveUpAt = performance.now() + deliveredWithinMs;
  for (;;) {
    const deliveries: Delivery[] = [];
    let cursor: string | undefined;
    do {
      const query = cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const list = `${url}/api/v1/webhooks/${webhookId}/deliveries?limit=100${query}`;
      const page = await callWell<Page<Delivery>>(list, key);
      deliveries.push(...page.data);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    if (deliveries.every(({ status }) => status !== "pending") || performance.now() > giveUpAt) return deliveries;
    await pause(100);
  }
}
