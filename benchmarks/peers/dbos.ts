/** DBOS Transact. A workflow's input and each step's output are rows; a step's input is not stored. */
import { DBOS, type WorkflowHandle } from "@dbos-inc/dbos-sdk";
import { LARGE_AMOUNT, type PaymentInput, type ToolOutput } from "../payment.ts";
import { requireDatabase, type System } from "../system.ts";

const TOPIC = "review";
const A_DAY_S = 86_400;

export const dbosPostgres: System = {
  name: "dbos-postgres",
  async open(options) {
    const url = requireDatabase(options);
    const { tools } = options;
    /** Reported by the workflow itself before it waits: a database query would cost the peer more. */
    const reachedReview = new Map<string, () => void>();

    const w1 = DBOS.registerWorkflow(
      async (request: PaymentInput) => {
        const a = await DBOS.runStep(() => tools.a({ request }), { name: "a" });
        if (request.amount <= LARGE_AMOUNT) return a;
        await DBOS.runStep(() => tools.b({ request }), { name: "b" });
        return DBOS.runStep(() => tools.c({ request }), { name: "c" });
      },
      { name: "w1" },
    );
    const w2 = DBOS.registerWorkflow(
      async (request: PaymentInput) => {
        await DBOS.runStep(() => tools.a({ request }), { name: "a" });
        reachedReview.get(DBOS.workflowID ?? "")?.();
        await DBOS.recv(TOPIC, A_DAY_S);
        return DBOS.runStep(() => tools.b({ request }), { name: "b" });
      },
      { name: "w2" },
    );
    DBOS.setConfig({ name: "bench", systemDatabaseUrl: url, logLevel: "error" });
    await DBOS.launch();
    const waiting = new Map<string, WorkflowHandle<ToolOutput>>();
    let last = 0;

    return {
      database: { kind: "postgres", url },
      async run(request) {
        const handle = await DBOS.startWorkflow(w1)(request);
        return handle.getResult();
      },
      async pause(request) {
        const workflowID = `w2-${++last}`;
        const reached = new Promise<void>((resolve) => reachedReview.set(workflowID, resolve));
        waiting.set(workflowID, await DBOS.startWorkflow(w2, { workflowID })(request));
        await reached;
        reachedReview.delete(workflowID);
        return workflowID;
      },
      async resume(workflowID) {
        const handle = waiting.get(workflowID);
        if (handle === undefined) throw new Error(`Nothing waits as ${workflowID}.`);
        waiting.delete(workflowID);
        await DBOS.send(workflowID, { approved: true }, TOPIC);
        return handle.getResult();
      },
      close: () => DBOS.shutdown(),
    };
  },
};
