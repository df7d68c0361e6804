import { linearize } from "./linearize.ts";
import { createActors, type RaceGround } from "./race-actors.ts";
import { createRecorder } from "./recorder.ts";
import { noRun } from "./run-model.ts";

export interface RaceResult {
  readonly calls: number;
  /** Each says which run no order explains; none when the port's sentences hold. */
  readonly violations: readonly string[];
}

/** Longer histories are not searched: their number of orders would grow beyond use. */
const mostActors = 5;

/** Lets a few nodes do everything at once to a few runs, and judges what each was answered. */
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
  // After a failure nothing is known of a write.
  if (failed.length > 0) return { calls: failed.length, violations: failed };

  await recorder.readAll(beside);
  // First as one of them, then as somebody new: what a live worker holds stays where it is.
  await recorder.claimAll(beside, workerOf(random.between(0, nodes.length - 1)));
  const late = `${workspace}-late`;
  await recorder.claimAll(beside, late);
  await recorder.readAll(beside);

  // Whoever claims next would look at all who ever held something.
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
