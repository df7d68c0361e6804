import type { ProcedureDocument } from "@procedo/contract";
import type { Engine } from "@procedo/engine";

export const askingProcedureId = "asking";

/** A procedure with one review, whose decision alone determines the result of the run. */
export const askingProcedure: ProcedureDocument = {
  schemaVersion: 1,
  procedureId: askingProcedureId,
  name: "Asking",
  input: { type: "object" },
  nodes: [
    { id: "start", kind: "start" },
    { id: "approve", kind: "human_review", title: "Shall it be done?" },
    { id: "done", kind: "end" },
  ],
  edges: [
    { from: "start", to: "approve" },
    { from: "approve", to: "done" },
  ],
};

const environment = "sandbox";

/** The requests about its runs, answered by a member. */
export function askingAnswers(engine: Engine) {
  return {
    begin: async ({ key }: { readonly key: string }): Promise<{ readonly runId: string }> => {
      const by = { person: "starter" };
      const request = { procedureId: askingProcedureId, environment, data: {}, idempotencyKey: key, by } as const;
      const { runId } = await engine.runs.start(request);
      return { runId };
    },
    vote: async ({ runId, approved, person, key }: Vote): Promise<{ readonly outcome: "won" }> => {
      const verdict = approved ? { approved } : { approved, rejectionReason: "Not this one." };
      await engine.reviews.decide({ environment, runId, ...verdict, idempotencyKey: key, by: { person } });
      return { outcome: "won" };
    },
    read: async ({ runId }: { readonly runId: string }) => {
      const { status } = await engine.runs.get({ environment, runId });
      return { status };
    },
  };
}

export interface Vote {
  readonly runId: string;
  readonly approved: boolean;
  readonly person: string;
  /** UUID version 4, identical when the same vote is sent again. */
  readonly key: string;
}

/** Publishes the procedure in a new database. */
export async function publishAsking({ procedures }: Pick<Engine, "procedures">): Promise<void> {
  await procedures.publish({
    document: askingProcedure,
    version: "1",
    defaultIn: [environment],
    by: { person: "builder" },
  });
}
