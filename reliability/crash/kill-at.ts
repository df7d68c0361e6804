import type { RunShape } from "./crash-procedure.ts";
import { drive } from "./drive.ts";
import type { Evidence } from "./evidence.ts";
import type { Failpoint, FailpointName } from "./failpoints.ts";
import type { Judge } from "./judge.ts";
import type { CrashNode } from "./node.ts";
import type { World } from "./world.ts";

/** Points that are reached while a node starts, before it receives requests. */
export const reachedAtStart: ReadonlySet<FailpointName> = new Set(["lease.take", "run.takeover", "migrate.step"]);

/** The ledger delays its answer for this long, so that the kill comes first. */
const lateAnswerMs = 120;

/** Maximum number of loads until a point has been passed as often as required. */
const maxLoads = 6;

/**
 * Kills the node at the point, starts another one, and waits until it has done all the work. Returns the survivor.
 *
 * @throws Error when a promise was broken, or the point was never reached
 */
export async function killAt(
  world: World,
  judge: Judge,
  node: CrashNode,
  { failpoint, shapes }: { readonly failpoint: Failpoint; readonly shapes: readonly RunShape[] },
): Promise<CrashNode> {
  const inFlight = failpoint.name === "tool.sent" && failpoint.phase === "after";
  if (inFlight) await world.ledger.answerLate(lateAnswerMs);
  if (reachedAtStart.has(failpoint.name)) await dieAtStart(world, node, failpoint, shapes);
  else await dieUnderLoad(world, node, failpoint, shapes);
  if (inFlight) await world.ledger.answerLate(0);
  const survivor = world.boot();
  await finish(world, judge, survivor);
  return survivor;
}

/**
 * Lets a node do all the work, and checks all invariants.
 *
 * @throws Error when a promise was broken
 */
export async function finish(world: World, judge: Judge, node: CrashNode): Promise<Evidence> {
  if ((await drive(world, node)) === "dead") throw new Error(`A node died by itself: ${node.end}.`);
  const { faults, evidence } = await judge.check("idle");
  if (faults.length > 0) throw new Error(faults.join(" "));
  return evidence;
}

/** Any other end is a crash of the product. */
export function expectKilled(node: CrashNode): void {
  expectEnd(node, "SIGKILL");
}

/** @throws Error if the node ended otherwise */
export function expectEnd(node: CrashNode, expected: "SIGKILL" | "exit code 0"): void {
  if (node.end !== expected) throw new Error(`The node was to end by ${expected}, and ended by ${node.end}.`);
}

async function dieUnderLoad(
  world: World,
  node: CrashNode,
  failpoint: Failpoint,
  shapes: readonly RunShape[],
): Promise<void> {
  await node.ask("arm", { failpoint });
  for (let load = 0; load < maxLoads; load++) {
    for (const shape of shapes) world.plan(shape);
    if ((await drive(world, node)) === "dead") return expectKilled(node);
  }
  throw new Error("The point was never reached.");
}

/** Some work must be left for the next node. */
async function dieAtStart(
  world: World,
  node: CrashNode,
  failpoint: Failpoint,
  shapes: readonly RunShape[],
): Promise<void> {
  await dieUnderLoad(world, node, { name: "step.result", phase: "before", passes: 1 }, shapes);
  const victim = world.boot(failpoint);
  if ((await drive(world, victim)) !== "dead") throw new Error("The point was never reached.");
  expectKilled(victim);
}
