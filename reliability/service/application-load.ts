import type { SeededRandom } from "@procedo-testing/faults";
import { runSchema } from "@procedo/contract";
import type { RunShape } from "../crash/crash-procedure.ts";
import type { Look } from "../crash/protocol.ts";
import { callService } from "./call-service.ts";
import type { HttpNode } from "./http-node.ts";
import type { KeylessStart } from "./service-judge.ts";
import { urlOf, type ServiceWorld } from "./service-world.ts";
import { announcedEnd, type AnnouncedEnd } from "./announced-ends.ts";

const openRuns = 40;
const pollsPerLook = 3;
const burst = 40;
/** The first number of starts without a key. */
const keylessFrom = 1_000_000;

/** An application that works beside the driver. */
export interface Load {
  /** Does its part at each poll of the driver. */
  feed(look: Look): true;
  /** Resolves after this number of the driver's polls. */
  looked(times: number): Promise<void>;
  /** Resolves when every request was answered or lost. @throws Error if an answer was wrong */
  done(): Promise<void>;
}

/**
 * The requests of an application besides keyed starts, decisions and cancellations: starts without a key, and polls.
 */
export function createLoad(
  { world, keys }: ServiceWorld,
  node: HttpNode,
  {
    random,
    keyless,
    hear,
  }: {
    readonly random: SeededRandom;
    readonly keyless: KeylessStart[];
    readonly hear: (ending: AnnouncedEnd | undefined) => void;
  },
): Load {
  const work: Promise<void>[] = [];
  const waiting: { readonly looks: number; resolve(): void }[] = [];
  let looks = 0;
  const begin = (request: Promise<void>): void => {
    // Awaited by `done`.
    request.catch(() => {});
    work.push(request);
  };
  const startKeyless = async (start: KeylessStart): Promise<void> => {
    const url = `${await urlOf(node)}/v1/procedures/crash/sandbox`;
    const answer = await callService(url, keys.run, { body: { data: start.input } });
    if (answer === undefined) return;
    if (answer.status !== 202) throw new Error(`A start answered ${answer.status}: ${answer.text}`);
    start.runId = (JSON.parse(answer.text) as { readonly runId: string }).runId;
  };
  const poll = async (runId: string): Promise<void> => {
    const answer = await callService(`${await urlOf(node)}/runs/${runId}`, keys.run);
    if (answer === undefined) return;
    if (answer.status !== 200) throw new Error(`A poll of ${runId} answered ${answer.status}: ${answer.text}`);
    hear(announcedEnd(runSchema.parse(JSON.parse(answer.text))));
  };
  const feed = ({ running, reviews }: Look): true => {
    const unanswered = world.starts.filter(({ runId }) => runId === undefined).length;
    for (let open = running + reviews.length + unanswered; open < openRuns; open++) world.plan(shapeOf(random));
    for (let starts = keylessOf(random); starts > 0; starts--) {
      const start: KeylessStart = { input: { n: keylessFrom + keyless.length, shape: "plain" }, runId: undefined };
      keyless.push(start);
      begin(startKeyless(start));
    }
    const known = world.starts.flatMap(({ runId }) => runId ?? []);
    for (let polls = 0; known.length > 0 && polls < pollsPerLook; polls++) begin(poll(random.pick(known)));
    looks += 1;
    for (const one of waiting) if (looks >= one.looks) one.resolve();
    return true;
  };
  return {
    feed,
    looked: (times) => new Promise((resolve) => void waiting.push({ looks: times, resolve })),
    done: async () => void (await Promise.all(work)),
  };
}

/** Usually none or one at a time, and sometimes a burst that the service accepts before it executes the runs. */
function keylessOf(random: SeededRandom): number {
  return random.chance(0.08) ? burst : random.below(2);
}

/** Half of the runs are plain; the others have a review, wait, are cancelled, or have a review that expires. */
function shapeOf(random: SeededRandom): RunShape {
  const drawn = random.below(100);
  if (drawn < 25) return "review";
  if (drawn < 40) return "sleep";
  if (drawn < 43) return "expire";
  return drawn < 48 ? "cancel" : "plain";
}
