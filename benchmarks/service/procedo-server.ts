/** The service as it is shipped and set up by default: with its log at `info`, its metrics and its spans. */
import path from "node:path";
import { readSettings, startServer } from "@procedo/server";
import { integrationOf } from "../procedo.ts";
import { countedTools, w1Target } from "./procedo-http.ts";
import type { Subject } from "./subject.ts";

export const procedoServer: Subject = {
  async listen({ directory, databaseUrl, mode }) {
    const { tools, ended } = countedTools();
    const server = await startServer({
      settings: readSettings({
        PORT: "0",
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
      ended,
      close: () => server.stop(),
    };
  },
};
