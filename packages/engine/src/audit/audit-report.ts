import type { Environment } from "@procedo/contract";

/** The result of verifying the whole storage. */
export interface AuditReport {
  /** Runs whose journals were read. */
  readonly runs: number;
  /** Runs whose journals are in an archive. Their exports are verified there. */
  readonly archived: number;
  /** Entries of the workspace's chain. */
  readonly changes: number;
  /** Number of checkpoints among `changes`. */
  readonly checkpoints: number;
  /** All runs that ended before this time are listed in checkpoints; `undefined` while there is no checkpoint. */
  readonly coveredToMs: number | undefined;
  /** The first 1,000 problems; empty when everything is as it was written. */
  readonly problems: readonly AuditProblem[];
  /** Whether there are more problems than `problems` lists. */
  readonly moreProblems: boolean;
}

/** One deviation from the records as they were written. */
export type AuditProblem = (RunProblem | WorkspaceProblem) & {
  /** The deviation, in one sentence. */
  readonly message: string;
};

type RunProblem = {
  /** The environment of the run. */
  readonly environment: Environment;
  /** Identifier of the run. */
  readonly runId: string;
} & (
  | {
      /**
       * A row does not follow from the row before it: one of the rows up to this one was changed, removed or inserted.
       */
      readonly kind: "run_broken";
      /** Number of the first row that does not follow. */
      readonly seq: number;
    }
  /** The run has ended and its last rows are missing, from `seq` on. */
  | { readonly kind: "run_cut"; readonly seq: number }
  /** The run has no rows, although a checkpoint lists it or its own row says that it was archived. */
  | { readonly kind: "run_deleted"; readonly checkpoint?: number }
  /** The output that polls return is not the output in the run's journal. */
  | { readonly kind: "run_output_changed" }
  /** The journal is consistent in itself, but is not the journal that the checkpoint recorded. */
  | { readonly kind: "run_replaced"; readonly checkpoint: number }
);

type WorkspaceProblem =
  /** An entry of the workspace's chain does not follow from the entry before it. */
  | { readonly kind: "changes_broken"; readonly seq: number }
  /**
   * The newest entries of the workspace's chain are missing: it does not contain the checkpoint that was kept
   * elsewhere.
   */
  | { readonly kind: "changes_cut"; readonly seq: number }
  | { readonly kind: "checkpoint_invalid"; readonly seq: number }
  /** The runs that storage marks as archived are not the runs that the entry lists. */
  | { readonly kind: "archived_changed"; readonly seq: number }
  /** A published document was changed or removed. `seq` is the entry that recorded its publication. */
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
      // A truncated journal is found both in the run itself and in the checkpoint that lists it.
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
