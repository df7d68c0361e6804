import type { TracedRun } from "../crash/evidence.ts";

/** A process was killed, and held these runs. */
export interface Death {
  readonly atMs: number;
  readonly runIds: readonly string[];
}

/**
 * How long each run of a dead owner waited for another, in milliseconds: from the kill to the first row in which somebody
 * took it over. A run that went on without (its owner had parked it, or it has ended) waited for nobody. Pure.
 */
export function takeOverTimes(deaths: readonly Death[], runs: readonly TracedRun[]): readonly number[] {
  const recoveriesOf = new Map(
    runs.map(({ stored, entries }) => [
      stored.runId,
      entries.flatMap(({ entry }) => (entry.type === "recovered" ? [entry.atMs] : [])),
    ]),
  );
  return deaths.flatMap(({ atMs, runIds }) =>
    runIds.flatMap((runId) => {
      const recovered = (recoveriesOf.get(runId) ?? []).find((recoveredAtMs) => recoveredAtMs >= atMs);
      return recovered === undefined ? [] : [recovered - atMs];
    }),
  );
}
