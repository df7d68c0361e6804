/** The systems with which Procedo is compared, and the data that each of them stores in each setting. */
import type { SystemEntry } from "../systems.ts";

export const PEERS: readonly SystemEntry[] = [
  {
    name: "langgraph-sqlite",
    peer: "LangGraph",
    database: "sqlite",
    load: async () => (await import("./langgraph.ts")).langgraphSqliteFull,
  },
  {
    name: "langgraph-sqlite-normal",
    peer: "LangGraph",
    database: "sqlite",
    load: async () => (await import("./langgraph.ts")).langgraphSqliteNormal,
  },
  {
    name: "mastra-libsql",
    peer: "Mastra",
    database: "sqlite",
    load: async () => (await import("./mastra.ts")).mastraLibsql,
  },
  {
    name: "openworkflow-sqlite",
    peer: "OpenWorkflow",
    database: "sqlite",
    load: async () => (await import("./openworkflow.ts")).openworkflowSqlite,
  },
  {
    name: "langgraph-postgres",
    peer: "LangGraph",
    database: "postgres",
    load: async () => (await import("./langgraph.ts")).langgraphPostgres,
  },
  {
    name: "mastra-postgres",
    peer: "Mastra",
    database: "postgres",
    load: async () => (await import("./mastra.ts")).mastraPostgres,
  },
  {
    name: "dbos-postgres",
    peer: "DBOS",
    database: "postgres",
    load: async () => (await import("./dbos.ts")).dbosPostgres,
  },
  {
    name: "openworkflow-postgres",
    peer: "OpenWorkflow",
    database: "postgres",
    load: async () => (await import("./openworkflow.ts")).openworkflowPostgres,
  },
  {
    name: "restate",
    peer: "Restate",
    database: "postgres",
    load: async () => (await import("./restate.ts")).restate,
  },
];
