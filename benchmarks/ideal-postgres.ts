import pg from "pg";
import type { JournalRow, JournalWriter } from "./ideal-journal.ts";
import { idealSession } from "./ideal-session.ts";
import type { PaymentInput } from "./payment.ts";
import { requireDatabase, type System } from "./system.ts";

/** The ceiling on Postgres: one connection that writes and one that reads, one prepared statement for each batch. */
export const idealPostgres: System = {
  name: "ideal-postgres",
  async open(options) {
    const url = requireDatabase(options);
    const writer = await openPostgresJournal(url);
    const reader = await openReader(url);
    return idealSession({
      database: { kind: "postgres", url },
      tools: options.tools,
      request: (runId) => reader.request(runId),
      writer: {
        append: (row) => writer.append(row),
        close: async () => {
          await writer.close();
          await reader.close();
        },
      },
    });
  },
};

/** Group commit: rows that are appended during a commit become the next one. */
export async function openPostgresJournal(url: string): Promise<JournalWriter> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    "CREATE TABLE IF NOT EXISTS journal (run_id integer, seq integer, node text, input text, output text, PRIMARY KEY (run_id, seq))",
  );
  const append = inGroups(async (rows: readonly JournalRow[]) => {
    await client.query({
      name: "append",
      text: "INSERT INTO journal SELECT * FROM unnest($1::integer[], $2::integer[], $3::text[], $4::text[], $5::text[])",
      values: [
        rows.map(({ runId }) => runId),
        rows.map(({ seq }) => seq),
        rows.map(({ node }) => node),
        rows.map(({ input }) => input),
        rows.map(({ output }) => output),
      ],
    });
    return rows.map(() => undefined);
  });
  return { append, close: () => client.end() };
}

async function openReader(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const request = inGroups(async (runIds: readonly number[]) => {
    const { rows } = await client.query<{ run_id: number; input: string }>({
      name: "requests",
      text: "SELECT run_id, input FROM journal WHERE run_id = ANY($1::integer[]) AND seq = 0",
      values: [runIds],
    });
    const inputs = new Map(rows.map(({ run_id, input }) => [run_id, input]));
    return runIds.map((runId) => JSON.parse(inputs.get(runId) ?? "null") as PaymentInput);
  });
  return { request, close: () => client.end() };
}

/** Reads all runs that were requested in one turn of the event loop, or during the previous read. */
function inGroups<Item, Answer>(ask: (items: readonly Item[]) => Promise<readonly Answer[]>) {
  let waiting: { readonly item: Item; readonly answer: PromiseWithResolvers<Answer> }[] = [];
  let asking = false;

  async function askAll(): Promise<void> {
    asking = true;
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      try {
        const answers = await ask(group.map(({ item }) => item));
        group.forEach(({ answer }, index) => answer.resolve(answers[index] as Answer));
      } catch (error) {
        for (const { answer } of group) answer.reject(error);
      }
    }
    asking = false;
  }

  return (item: Item): Promise<Answer> => {
    const answer = Promise.withResolvers<Answer>();
    waiting.push({ item, answer });
    if (!asking && waiting.length === 1) setImmediate(() => void askAll());
    return answer.promise;
  };
}
