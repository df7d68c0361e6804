/**
 * The service as it is shipped with its default settings: with its log at `info`, its metrics and its spans. One
 * variant does everything in one process; in the other, the process serves HTTP beside others that execute.
 */
import path from "node:path";
import { readSettings, startServer } from "@procedo/server";
import { integrationOf } from "../procedo.ts";
import { countedTools, w1Target } from "./procedo-http.ts";
import type { Listening, Subject, SubjectOptions } from "./subject.ts";

export const procedoServer: Subject = { listen: (options) => listenAs("all", options) };

export const procedoServerAccept: Subject = { listen: (options) => listenAs("http", options) };

async function listenAs(role: "all" | "http", { directory, databaseUrl, mode }: SubjectOptions): Promise<Listening> {
  const { tools, ended } = countedTools();
  const server = await startServer({
    settings: readSettings({
      PORT: "0",
      PROCEDO_ROLE: role,
      PROCEDO_DATA_DIR: directory,
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    }),
    integrations: [integrationOf(tools)],
  });
  const target = await w1Target(server.engine, server.port, mode);
  const file = path.join(directory, "procedo.sqlite");
  return {
    target,
    database: databaseUrl === undefined ? { kind: "sqlite", file } : { kind: "postgres", url: databaseUrl },
    ...(role === "all" && { ended }),
    close: () => server.stop(),
  };
}
