import { setTimeout as pause } from "node:timers/promises";
import type { CrashNode } from "./node.ts";
import type { Look } from "./protocol.ts";
import type { Decision, Start, World } from "./world.ts";

const lookEveryMs = 20;

/** A poll reads runs and then reviews. A run that opens a review in between appears in neither. */
const idleLooks = 2;

export interface DriveOptions {
  /** Plans more work before each poll; returns whether it will ever plan more. */
  readonly feed?: (look: Look) => boolean;
  /** @defaultValue 120000; then the drive throws and names the stuck work */
  readonly limitMs?: number;
}

/**
 * Drives a node until consecutive polls show that all work is done, or until the node dies. Repeats every planned start
 * until it is acknowledged, and decides every review.
 */
export async function drive(world: World, node: CrashNode, options: DriveOptions = {}): Promise<"idle" | "dead"> {
  if ((await node.ready) === "ended") return "dead";
  const { feed = () => false, limitMs = 120_000 } = options;
  const asked = new Set<Start>();
  const deciding = new Set<string>();
  const cancelling = new Set<Start>();
  const giveUpAt = performance.now() + limitMs;
  let idle = 0;
  let failure: Error | undefined;
  const fail = (error: unknown): void => void (failure ??= error instanceof Error ? error : new Error(String(error)));
  for (;;) {
    if (failure !== undefined) throw failure;
    const looked = await node.ask("look", {});
    if (looked.status === "lost") break;
    if (looked.status === "refused") throw new Error(`A node cannot be polled: ${looked.message}`);
    const more = feed(looked.value);
    const open = world.starts.filter((start) => start.runId === undefined && !asked.has(start));
    for (const start of open) {
      asked.add(start);
      startOn(node, start).catch(fail);
    }
    for (const start of world.starts) {
      if (start.input.shape !== "cancel" || start.runId === undefined || start.cancel !== undefined) continue;
      if (cancelling.has(start) || !world.random.chance(0.2)) continue;
      cancelling.add(start);
      cancelOn(node, start, start.runId).catch(fail);
    }
    for (const review of looked.value.reviews) {
      if (deciding.has(review.reviewId) || review.nodeId === "hurry") continue;
      deciding.add(review.reviewId);
      decideOn(world, node, review).then((settled) => {
        if (!settled) deciding.delete(review.reviewId);
      }, fail);
    }
    const isIdle = looked.value.running === 0 && looked.value.reviews.length === 0;
    idle = isIdle && !more && world.starts.every(isSettled) ? idle + 1 : 0;
    if (idle === idleLooks) return "idle";
    if (performance.now() > giveUpAt) throw new Error(`No run makes progress: ${stuck(looked.value, world)}`);
    await Promise.race([pause(lookEveryMs), node.exited]);
    if (!node.alive) break;
  }
  await node.exited;
  return "dead";
}

async function startOn(node: CrashNode, start: Start): Promise<void> {
  const { input, key } = start;
  const reply = await node.ask("start", { input, key });
  if (reply.status === "answered") start.runId = reply.value.runId;
  if (reply.status === "refused") throw new Error(`Start ${key} was refused: ${reply.code} ${reply.message}`);
}

/** A start is settled when its run is known and, if planned, cancelled. */
function isSettled({ runId, input, cancel }: Start): boolean {
  return runId !== undefined && (input.shape !== "cancel" || cancel !== undefined);
}

async function cancelOn(node: CrashNode, start: Start, runId: string): Promise<void> {
  const reply = await node.ask("cancel", { runId });
  if (reply.status === "answered") start.cancel = "acknowledged";
  if (reply.status !== "refused") return;
  if (reply.code !== "already_ended") throw new Error(`A cancel of ${runId} was refused: ${reply.message}`);
  start.cancel = "too_late";
}

/** Codes that mean that the review was closed meanwhile: decided, expired or settled. */
const overtaken = new Set(["already_decided", "review_not_found", "another_review_open"]);

/** Returns whether the review needs no further decision from this parent. */
async function decideOn(world: World, node: CrashNode, review: Look["reviews"][number]): Promise<boolean> {
  if ((review.rules.notBeforeMs ?? 0) > Date.now()) return false;
  const known = world.decisions.find(({ reviewId }) => reviewId === review.reviewId);
  const decision = known ?? (await makeUpMind(world, node, review));
  if (decision === undefined) return false;
  if (known === undefined) world.note(decision);
  const { acknowledged: _acknowledged, outputs, ...request } = decision;
  const reply = await node.ask("decide", { ...request, ...(outputs === undefined ? {} : { outputs: { ...outputs } }) });
  switch (reply.status) {
    case "answered":
      decision.acknowledged = true;
      return true;
    case "lost":
      return false;
    case "refused":
      if (overtaken.has(reply.code)) return true;
      if (reply.code === "too_early") return false;
      throw new Error(`A decision on ${review.reviewId} was refused: ${reply.code} ${reply.message}`);
  }
}

/**
 * A decision: reviewers reject one review in five. For an unknown outcome they read the ledger by the key of the call;
 * `undefined` if the review could not be read.
 */
async function makeUpMind(
  world: World,
  node: CrashNode,
  review: Look["reviews"][number],
): Promise<Decision | undefined> {
  const { random, ledger } = world;
  const { runId, reviewId, digest: reviewDigest } = review;
  const decision = { idempotencyKey: random.uuid(), runId, reviewId, reviewDigest, acknowledged: false };
  const rejection = { ...decision, approved: false, rejectionReason: "Not this one." };
  if (review.kind !== "outcome_unknown") return random.chance(0.2) ? rejection : { ...decision, approved: true };
  const shown = await node.ask("show", { reviewId });
  if (shown.status !== "answered") return undefined;
  const effect = (await ledger.effects()).find(({ key }) => key === shown.value.data["idempotencyKey"]);
  const paymentId = effect?.paymentIds[0];
  if (paymentId === undefined) return random.chance(0.2) ? rejection : { ...decision, approved: true };
  const outputs = (await ledger.payments()).get(paymentId);
  if (outputs === undefined) throw new Error(`The ledger has executed ${paymentId} and does not know it.`);
  return { ...decision, approved: true, outputs };
}

function stuck(look: Look, world: World): string {
  const starts = world.starts.filter(({ runId }) => runId === undefined).length;
  const reviews = look.reviews.map(({ kind, nodeId, runId }) => `${kind} at ${nodeId} of ${runId}`);
  return `${look.running} runs are running, ${starts} starts unanswered, reviews: ${reviews.join("; ") || "none"}.`;
}
