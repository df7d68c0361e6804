/**
 * The ceiling: a hand-written loop over journal rows with the exact input and output of each step, group commit, and nothing else.
 * No leases, validation, ids, events, expressions or recovery. Everything else is measured against it in the same run.
 */
import path from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { inThreadWriter, type JournalWriter, openJournal } from "./ideal-journal.ts";
import { LARGE_AMOUNT, type PaymentInput, type ToolOutput, type Tools } from "./payment.ts";
import type { Session, System } from "./system.ts";

export const idealSqlite: System = {
  name: "ideal-sqlite",
  async open({ directory, tools }) {
    const file = path.join(directory, "ideal.sqlite");
    const db = openJournal(file);
    return idealSession({ file, tools, writer: inThreadWriter(db), reader: db });
  },
};

/** The loop itself, over any writer. `reader` sees committed rows: a resumed run is read from storage, as in any real system. */
export function idealSession(options: {
  readonly file: string;
  readonly tools: Tools;
  readonly writer: JournalWriter;
  readonly reader: DatabaseSync;
}): Session {
  const { file, tools, writer } = options;
  const firstInput = options.reader.prepare("SELECT input FROM journal WHERE run_id = ? AND seq = 0");
  let lastRunId = 0;

  const step = (runId: number, seq: number, node: string, input: unknown, output: unknown): Promise<void> =>
    writer.append({ runId, seq, node, input: JSON.stringify(input), output: JSON.stringify(output) });

  return {
    file,

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
      const request = JSON.parse(String(firstInput.get(runId)?.["input"])) as PaymentInput;
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
