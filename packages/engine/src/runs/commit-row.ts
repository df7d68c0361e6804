import type { CommitResult, RunCommit } from "@procedo/storage";
import type { Offer } from "../private-connections/offers.ts";
import type { ExecutionPorts, Holder } from "./execution-ports.ts";
import type { HotRun } from "./hot-run.ts";
import { orUntilStored } from "./until-stored.ts";

/** What became of a row. */
export type RowResult =
  | CommitResult
  /** Nothing is known of it. */
  | { readonly status: "unknown"; readonly error: unknown }
  /** The news that it follows from was stored without it, or not at all. */
  | { readonly status: "unresumed" };

/** Makes a run's row durable, with the news that it follows from; a call that it hands out may go out with it. */
export async function commitRow(
  ports: ExecutionPorts,
  holder: Holder,
  run: HotRun,
  row: RunCommit,
  offer: Offer | undefined,
): Promise<RowResult> {
  const result = await committed(ports, holder, run, row, offer);
  if (result.status === "committed") offer?.taken();
  else offer?.dropped();
  return result;
}

async function committed(
  ports: ExecutionPorts,
  holder: Holder,
  { creation, news }: HotRun,
  row: RunCommit,
  offer: Offer | undefined,
): Promise<RowResult> {
  try {
    if (news === undefined) return await ports.committer.commit(row);
    return (await news.store(row)) ? { status: "committed" } : { status: "unresumed" };
  } catch (error) {
    // Only a row for which somebody waits is given up at once.
    if (creation !== undefined || news !== undefined) return { status: "unknown", error };
    offer?.dropped();
    return await commitAgain(ports, holder, row, error);
  }
}

/** Commits a row until storage has answered. */
async function commitAgain(ports: ExecutionPorts, holder: Holder, row: RunCommit, error: unknown): Promise<RowResult> {
  try {
    const result = await orUntilStored(ports, holder.stopped, () => ports.committer.commit(row))(error);
    return result ?? { status: "unknown", error: stoppedEarly.error };
  } catch (refusal) {
    return { status: "refused", error: refusal };
  }
}

/** The worker stopped while storage did not answer; what is durable goes on elsewhere. */
export const stoppedEarly = {
  kind: "abandoned",
  error: new Error("The worker stopped while storage did not answer."),
} as const;
