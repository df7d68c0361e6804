import type { TracedRun } from "../crash/evidence.ts";

/** A kill, and the runs that the process owned. */
export interface Death {
  readonly atMs: number;
  readonly runIds: readonly string[];
}

/**
 * The milliseconds that each run of a killed owner waited, from the kill to the first row of its next owner. A run that
 * continued without a takeover, because its owner had parked it or it had ended, is not counted. Pure.
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
