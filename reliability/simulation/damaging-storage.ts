import { interceptVerbs, type SeededRandom } from "@procedo-testing/faults";
import type { ClaimedRun, Storage } from "@procedo/storage";
import type { History } from "./history.ts";

/** A storage that rarely, and once per run at most, returns a damaged journal to the worker that claims the run. */
export function damagingStorage(storage: Storage, history: History, random: SeededRandom, rate: () => number): Storage {
  const damage = (claim: ClaimedRun): ClaimedRun => {
    const { runId, epoch, journal } = claim;
    if (history.damaged.has(runId) || journal.length < 2 || !random.chance(rate())) return claim;
    history.damaged.set(runId, { epoch });
    const at = random.between(0, journal.length - 2);
    const way = random.pick(["body", "gap", "order"]);
    if (way === "gap") return { ...claim, journal: journal.filter((_row, index) => index !== at) };
    return {
      ...claim,
      journal: journal.map((row, index) =>
        index === at
          ? {
              ...row,
              body: way === "body" ? row.body.replace(/\d/, (digit) => String((Number(digit) + 1) % 10)) : "[]",
            }
          : row,
      ),
    };
  };
  return interceptVerbs(storage, {
    "runs.claim": async (send) => {
      const { runs, nextWakeAtMs } = await send();
      return { runs: runs.map(damage), nextWakeAtMs };
    },
  });
}
