import { interceptVerbs } from "@procedo-testing/faults";
import type { ClaimedRun, RunCommit, Storage } from "@procedo/storage";
import type { LeaseWatch } from "./departures.ts";
import type { History, InvariantName } from "./history.ts";
import type { World } from "./world.ts";

/** A run within the simulation's limits needs far fewer rows. */
const mostRows = 2_000;

/** The shared storage of a simulation, which records all accepted writes in the history. */
export function observedStorage(
  storage: Storage,
  history: History,
  world: Pick<World, "nowMs" | "note">,
  lease: LeaseWatch,
  violate: (invariant: InvariantName, text: string) => void,
): Storage {
  /** The epoch of each run's last claim. */
  const claimedEpoch = new Map<string, number>();
  const claimed = ({ runId, epoch }: Pick<ClaimedRun, "runId" | "epoch">): void => {
    world.note(`${runId} is claimed under epoch ${epoch}`);
    const before = claimedEpoch.get(runId) ?? 1;
    if (epoch <= before) violate("owner", `Run ${runId} was claimed under epoch ${epoch}, after epoch ${before}.`);
    claimedEpoch.set(runId, epoch);
  };

  const keep = (item: RunCommit): void => {
    const { runId, scope, seq, hash, body, epoch, create } = item;
    let run = history.runs.get(runId);
    if (run === undefined) {
      if (create === undefined)
        return violate("chain", `Storage accepted row ${seq} of ${runId}, which was never created.`);
      const name = `${create.procedureId}@${create.procedureVersion}`;
      const procedure = history.procedures.get(name);
      if (procedure === undefined)
        return violate("unexpected", `Run ${runId} is of ${name}, which was never published.`);
      run = { scope, runId, procedure, rows: [], ended: false };
      history.runs.set(runId, run);
    }
    const known = run.rows[seq - 1];
    if (known !== undefined) {
      if (known.hash !== hash) violate("chain", `Storage accepted two rows ${seq} of ${runId}.`);
      return;
    }
    world.note(`storage accepts row ${seq} of ${runId} from epoch ${epoch}, ${item.then.kind}`);
    if (run.ended) violate("final", `Storage accepted row ${seq} of ${runId}, which had ended.`);
    const last = run.rows.at(-1);
    if (last !== undefined && epoch < last.epoch) {
      violate("owner", `Row ${seq} of ${runId} is of epoch ${epoch}, after epoch ${last.epoch}.`);
    }
    const ownerEpoch = claimedEpoch.get(runId) ?? 1;
    if (epoch !== ownerEpoch) {
      violate(
        "owner",
        `Storage accepted row ${seq} of ${runId} from epoch ${epoch}; the run is owned under epoch ${ownerEpoch}.`,
      );
    }
    const damaged = history.damaged.get(runId);
    if (damaged !== undefined && epoch === damaged.epoch) {
      violate("damage", `Run ${runId} continued in epoch ${epoch}, although its journal was damaged.`);
    }
    if (seq === mostRows) violate("liveness", `The journal of ${runId} has ${mostRows} rows.`);
    run.rows.push({ seq, hash, body, epoch, atMs: world.nowMs(), commit: item });
    if (item.then.kind === "ended") run.ended = true;
  };

  return interceptVerbs(storage, {
    "runs.claim": async (send) => {
      const result = await send();
      result.runs.forEach(claimed);
      return result;
    },
    "runs.commit": async (send, commit) => {
      const result = await send();
      if (result.status === "committed") keep(commit);
      return result;
    },
    "reviews.decide": async (send, { next }) => {
      const result = await send();
      if (result.status !== "recorded") return result;
      if (result.claimed !== undefined) claimed(result.claimed);
      if (result.continued === true && next !== undefined) {
        claimed(next);
        keep(next);
      }
      return result;
    },
    "invocations.settle": async (send, { next }) => {
      const result = await send();
      if (result.status !== "accepted") return result;
      if (result.claimed !== undefined) claimed(result.claimed);
      if (result.continued === true && next !== undefined) {
        claimed(next);
        keep(next);
      }
      return result;
    },
    "workers.heartbeat": (send, { workerId, leaseMs }) => {
      lease.heartbeat(workerId, leaseMs);
      return send();
    },
    "workers.release": (send, { workerId }) => {
      lease.released(workerId);
      return send();
    },
    "inbox.post": async (send, items) => {
      const results = await send();
      items.forEach(({ runId, effectKey, body }, index) => {
        const result = results[index];
        if (result?.status !== "accepted") return;
        if (result.claimed !== undefined) claimed(result.claimed);
        if (body.includes('"late_answer"')) history.lateAnswers.push({ runId, effectKey, body });
      });
      return results;
    },
  });
}
