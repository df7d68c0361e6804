import { linearize } from "./linearize.ts";
import { createActors, type RaceGround } from "./race-actors.ts";
import { createRecorder } from "./recorder.ts";
import { noRun } from "./run-model.ts";

export interface RaceResult {
  readonly calls: number;
  /** One message per run that no order explains; empty if the port's promises hold. */
  readonly violations: readonly string[];
}

/** Upper bound on concurrent actors: the number of orders grows exponentially with their calls. */
const mostActors = 5;

/** Lets a few nodes write to a few runs concurrently, and judges their answers. */
export async function playRace(ground: RaceGround): Promise<RaceResult> {
  const { random, nodes, beside, workspace } = ground;
  const runIds = Array.from({ length: random.between(1, 2) }, (_, index) => `${workspace}-run-${index}`);
  const newRunIds = Array.from({ length: random.between(0, 2) }, (_, index) => `${workspace}-new-${index}`);
  const workerOf = (node: number): string => `${workspace}-w${node}`;
  const recorder = createRecorder({ workspace, runIds: [...runIds, ...newRunIds], nowMs: ground.nowMs });
  const actors = createActors(ground, { recorder, runIds, workerOf });
  await actors.prepare();
  const creators = newRunIds.map((runId) => () => actors.create(runId));
  const others = Array.from({ length: random.between(2, mostActors) }, () => actors.actor());
  const failed: string[] = [];
  const played = [...creators, ...others].map((act) =>
    act().catch((error: unknown) => void failed.push(`A call failed: ${String(error)}`)),
  );
  await ground.drive(Promise.all(played));
  // After a failure the effect of a write is unknown.
  if (failed.length > 0) return { calls: failed.length, violations: failed };

  await recorder.readAll(beside);
  // First as one of the workers, then as a new one: a live worker keeps the runs that it owns.
  await recorder.claimAll(beside, workerOf(random.between(0, nodes.length - 1)));
  const late = `${workspace}-late`;
  await recorder.claimAll(beside, late);
  await recorder.readAll(beside);

  // Otherwise the next claim would check all these workers again.
  for (const workerId of [late, ...nodes.map((_, node) => workerOf(node))]) await beside.workers.release({ workerId });

  let calls = 0;
  const disorders = [...runIds, ...newRunIds].flatMap((runId) => {
    const history = recorder.callsOf(runId);
    calls += history.length;
    const { found, longest } = linearize(noRun, history);
    if (found) return [];
    const shown = new Set(longest);
    const rest = history.filter(({ label }) => !shown.has(label)).map(({ label }) => label);
    return [`${runId}: no order explains the answers. Explained: ${longest.join("; ")}. Not: ${rest.join("; ")}.`];
  });
  return { calls, violations: [...recorder.judgeCreations(), ...disorders] };
}
