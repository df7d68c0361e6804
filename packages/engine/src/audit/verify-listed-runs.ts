import { environments, type Environment } from "@procedo/contract";
import type { Page, RunHead } from "@procedo/storage";
import type { AddProblem } from "./audit-report.ts";
import { isSameHead, type ReadCheckpoint } from "./checkpoint.ts";
import type { VerifyPorts } from "./verify-ports.ts";

const pageSize = 1_000;

/** Checks that storage still contains the runs that a checkpoint's entry lists, with the same last rows. */
export async function verifyListedRuns(
  ports: VerifyPorts,
  { statement, heads }: ReadCheckpoint,
  signal: AbortSignal | undefined,
  add: AddProblem,
): Promise<void> {
  for (const environment of environments) {
    const listed = heads[environment];
    const stored = await storedHeads(ports, environment, listed, signal);
    for (const head of listed) {
      signal?.throwIfAborted();
      const problem = await problemOf(ports, environment, head, stored.get(head.runId));
      if (problem === undefined) continue;
      const { kind, message } = problem;
      const run = { environment, runId: head.runId, message: `${message} Checkpoint: entry ${statement.seq}.` };
      add(kind === "run_cut" ? { kind, seq: problem.seq, ...run } : { kind, checkpoint: statement.seq, ...run });
    }
  }
}

type HeadProblem =
  | { readonly kind: "run_deleted" | "run_replaced"; readonly message: string }
  | { readonly kind: "run_cut"; readonly seq: number; readonly message: string };

async function problemOf(
  { storage, workspace }: VerifyPorts,
  environment: Environment,
  listed: RunHead,
  found: RunHead | undefined,
): Promise<HeadProblem | undefined> {
  const { runId, seq } = listed;
  if (found !== undefined && isSameHead(listed, found)) return undefined;
  const journal = await storage.runs.journal({ scope: { workspace, environment }, runId });
  const last = journal.at(-1);
  if (last === undefined && found !== undefined && found.seq > 0) {
    return { kind: "run_replaced", message: `The journal of run "${runId}" was archived with another end.` };
  }
  if (last === undefined) return { kind: "run_deleted", message: `Run "${runId}" and its ${seq} rows are gone.` };
  if (last.seq < seq) {
    const message = `The journal of run "${runId}" ended at row ${seq} and now ends at row ${last.seq}.`;
    return { kind: "run_cut", seq: last.seq + 1, message };
  }
  const message = isSameHead(listed, last)
    ? `Run "${runId}" had ended, and is stored as open or as ended at another time.`
    : `The journal of run "${runId}" is not the one that had ended at row ${seq}.`;
  return { kind: "run_replaced", message };
}

/** The stored heads of the period in which the listed runs ended. */
async function storedHeads(
  { storage, workspace }: VerifyPorts,
  environment: Environment,
  listed: readonly RunHead[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, RunHead>> {
  const stored = new Map<string, RunHead>();
  const [first, last] = [listed[0], listed.at(-1)];
  if (first === undefined || last === undefined) return stored;
  const query = {
    scope: { workspace, environment },
    endedFromMs: first.endedAtMs,
    endedToMs: last.endedAtMs + 1,
    limit: pageSize,
  };
  let cursor: string | undefined;
  do {
    signal?.throwIfAborted();
    const page: Page<RunHead> = await storage.runs.heads(cursor === undefined ? query : { ...query, cursor });
    for (const head of page.items) stored.set(head.runId, head);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return stored;
}
