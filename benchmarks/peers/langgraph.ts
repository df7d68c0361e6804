/**
 * LangGraph with its own checkpointers. A checkpoint contains the channels' values after each step, and each run is a
 * thread. With durability `sync` it is written before the next node starts.
 */
import { randomUUID } from "node:crypto";
import path from "node:path";
import { Annotation, Command, END, type Graph, interrupt, START, StateGraph } from "@langchain/langgraph";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import BetterSqlite from "better-sqlite3";
import type { Database } from "../database.ts";
import { LARGE_AMOUNT, type PaymentInput, type ToolOutput, type Tools } from "../payment.ts";
import { requireDatabase, type Session, type System } from "../system.ts";

type Durability = "sync" | "async";

export const langgraphSqliteFull = overSqlite("langgraph-sqlite", { durability: "sync", synchronous: "FULL" });

/** Loses the last runs in a power failure, and the last checkpoints with the process. */
export const langgraphSqliteNormal = overSqlite("langgraph-sqlite-normal", {
  durability: "async",
  synchronous: "NORMAL",
});

export const langgraphPostgres: System = {
  name: "langgraph-postgres",
  async open(options) {
    const url = requireDatabase(options);
    const saver = PostgresSaver.fromConnString(url);
    await saver.setup();
    return sessionOf({
      tools: options.tools,
      saver,
      durability: "sync",
      database: { kind: "postgres", url },
      close: () => saver.end(),
    });
  },
};

function overSqlite(name: string, how: { durability: Durability; synchronous: "FULL" | "NORMAL" }): System {
  return {
    name,
    async open({ directory, tools }) {
      const file = path.join(directory, "langgraph.sqlite");
      const connection = new BetterSqlite(file);
      // The saver sets WAL itself; without the pragma better-sqlite3 chooses the `synchronous` mode of a file that is
      // opened again.
      connection.pragma("journal_mode = WAL");
      connection.pragma(`synchronous = ${how.synchronous}`);
      // The first write, so that the file exists for the measurement.
      connection.pragma("user_version = 1");
      return sessionOf({
        tools,
        saver: new SqliteSaver(connection),
        durability: how.durability,
        database: { kind: "sqlite", file },
        close: async () => connection.close(),
      });
    },
  };
}

const Payment = Annotation.Root({
  request: Annotation<PaymentInput>(),
  a: Annotation<ToolOutput>(),
  b: Annotation<ToolOutput>(),
  c: Annotation<ToolOutput>(),
  approved: Annotation<boolean>(),
});
type State = typeof Payment.State;

function sessionOf(options: {
  readonly tools: Tools;
  readonly saver: object;
  readonly durability: Durability;
  readonly database: Database;
  readonly close: () => Promise<void>;
}): Session {
  const { tools, saver, durability, database, close } = options;
  const w1 = w1Graph(tools, saver);
  const w2 = w2Graph(tools, saver);
  const onThread = (thread: string) => ({ configurable: { thread_id: thread }, durability });
  return {
    database,
    run: async (request) => (await w1.invoke({ request }, onThread(randomUUID()))).c,
    async pause(request) {
      const thread = randomUUID();
      await w2.invoke({ request }, onThread(thread));
      return thread;
    },
    resume: async (thread) => (await w2.invoke(new Command({ resume: true }), onThread(thread))).b,
    close,
  };
}

function w1Graph(tools: Tools, checkpointer: object): Graph<State> {
  return new StateGraph(Payment)
    .addNode("callA", async ({ request }) => ({ a: await tools.a({ request }) }))
    .addNode("callB", async ({ request }) => ({ b: await tools.b({ request }) }))
    .addNode("callC", async ({ request }) => ({ c: await tools.c({ request }) }))
    .addEdge(START, "callA")
    .addConditionalEdges("callA", ({ request }) => (request.amount > LARGE_AMOUNT ? "callB" : END), ["callB", END])
    .addEdge("callB", "callC")
    .addEdge("callC", END)
    .compile({ checkpointer });
}

function w2Graph(tools: Tools, checkpointer: object): Graph<State> {
  return new StateGraph(Payment)
    .addNode("callA", async ({ request }) => ({ a: await tools.a({ request }) }))
    .addNode("review", async ({ request }) => ({ approved: interrupt({ request }) === true }))
    .addNode("callB", async ({ request }) => ({ b: await tools.b({ request }) }))
    .addEdge(START, "callA")
    .addEdge("callA", "review")
    .addEdge("review", "callB")
    .addEdge("callB", END)
    .compile({ checkpointer });
}
