/**
 * The ceiling: a hand-written loop over journal rows with the exact input and output of each step, and group commit.
 * No leases, validation, ids, events, expressions or recovery. All other systems are compared with it in the same run.
 */
import type { Database } from "./database.ts";
import type { JournalWriter } from "./ideal-journal.ts";
import { LARGE_AMOUNT, type PaymentInput, type ToolOutput, type Tools } from "./payment.ts";
import type { Session } from "./system.ts";

/** `request` reads the data with which a run was started: a resumed run is read from storage, as in any real system. */
export function idealSession(options: {
  readonly database: Database;
  readonly tools: Tools;
  readonly writer: JournalWriter;
  readonly request: (runId: number) => Promise<PaymentInput>;
}): Session {
  const { database, tools, writer } = options;
  let lastRunId = 0;

  const step = (runId: number, seq: number, node: string, input: unknown, output: unknown): Promise<void> =>
    writer.append({ runId, seq, node, input: JSON.stringify(input), output: JSON.stringify(output) });

  return {
    database,

    async run(request): Promise<ToolOutput> {
      const runId = ++lastRunId;
      const args = { request };
      await step(runId, 0, "start", request, request);
      const a = await tools.a(args);
      await step(runId, 1, "a", args, a);
      const branch = request.amount > LARGE_AMOUNT ? "large" : "otherwise";
      await step(runId, 2, "size", { amount: request.amount }, { branch });
      if (branch === "otherwise") return a;
      const b = await tools.b(args);
      await step(runId, 3, "b", args, b);
      const c = await tools.c(args);
      await step(runId, 4, "c", args, c);
      await step(runId, 5, "end", null, { result: c });
      return c;
    },

    async pause(request): Promise<string> {
      const runId = ++lastRunId;
      const args = { request };
      await step(runId, 0, "start", request, request);
      const a = await tools.a(args);
      await step(runId, 1, "a", args, a);
      await step(runId, 2, "review", { request }, null);
      return String(runId);
    },

    async resume(paused): Promise<ToolOutput> {
      const runId = Number(paused);
      const request = await options.request(runId);
      const args = { request };
      await step(runId, 3, "review", { request }, { approved: true });
      const b = await tools.b(args);
      await step(runId, 4, "b", args, b);
      await step(runId, 5, "end", null, { result: b });
      return b;
    },

    close: () => writer.close(),
  };
}
