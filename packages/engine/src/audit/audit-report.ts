import type { Environment } from "@procedo/contract";

/** What reading everything again has found. */
export interface AuditReport {
  /** Runs whose journals were read. */
  readonly runs: number;
  /** Runs whose journals are in an archive; their exports are verified there. */
  readonly archived: number;
  /** Entries of the workspace's chain. */
  readonly changes: number;
  /** How many of these are checkpoints. */
  readonly checkpoints: number;
  /** Runs that ended before this time are listed in checkpoints; `undefined` while there is none. */
  readonly coveredToMs: number | undefined;
  /** Empty when everything is as it was written; the first 1,000 otherwise. */
  readonly problems: readonly AuditProblem[];
  readonly moreProblems: boolean;
}

/** One thing that is not as it was written. */
export type AuditProblem = (RunProblem | WorkspaceProblem) & { readonly message: string };

type RunProblem = {
  readonly environment: Environment;
  readonly runId: string;
} & (
  | {
      /** A row does not follow from the one before: it, or a row before it, was changed, removed or put there. */
      readonly kind: "run_broken";
      readonly seq: number;
    }
  /** The run ended and its last rows are missing. */
  | { readonly kind: "run_cut"; readonly seq: number }
  /** There is no row of the run any more, although a checkpoint lists it or its own row says that it was archived. */
  | { readonly kind: "run_deleted"; readonly checkpoint?: number }
  /** What polls answer as the run's output is not what its journal tells. */
  | { readonly kind: "run_output_changed" }
  /** The journal follows, and is another one than the checkpoint saw. */
  | { readonly kind: "run_replaced"; readonly checkpoint: number }
);

type WorkspaceProblem =
  /** An entry of the workspace's chain does not follow from the one before. */
  | { readonly kind: "changes_broken"; readonly seq: number }
  /** The newest entries of the workspace's chain are missing: the checkpoint that was kept elsewhere is not in it. */
  | { readonly kind: "changes_cut"; readonly seq: number }
  | { readonly kind: "checkpoint_invalid"; readonly seq: number }
  /** The runs that are stored as archived are not those of which the entry says so. */
  | { readonly kind: "archived_changed"; readonly seq: number }
  /** A published document was changed or removed; the entry is the one that tells of its publishing. */
  | { readonly kind: "document_changed"; readonly seq: number };

export type AddProblem = (problem: AuditProblem) => void;

const maxProblems = 1_000;

export function createProblemList(): {
  readonly add: AddProblem;
  readonly report: () => Pick<AuditReport, "problems" | "moreProblems">;
} {
  const problems: AuditProblem[] = [];
  let moreProblems = false;
  return {
    add: (problem) => {
      // A cut shows in the run itself and in the checkpoint that lists it.
      if (problems.some((known) => isSame(known, problem))) return;
      if (problems.length < maxProblems) problems.push(problem);
      else moreProblems = true;
    },
    report: () => ({ problems, moreProblems }),
  };
}

function isSame(a: AuditProblem, b: AuditProblem): boolean {
  if ("runId" in a && "runId" in b) return a.kind === b.kind && a.environment === b.environment && a.runId === b.runId;
  return "seq" in a && "seq" in b && a.kind === b.kind && a.seq === b.seq;
}
