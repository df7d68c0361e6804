/** The service as it is shipped and set up by default: with its log at `info`, its metrics and its spans. */
import path from "node:path";
import { readSettings, startServer } from "@procedo/server";
import { integrationOf } from "../procedo-sqlite.ts";
import { countedTools, w1Target } from "./procedo-http.ts";
import type { Subject } from "./subject.ts";

export const procedoServer: Subject = {
  async listen({ directory, mode }) {
    const { tools, ended } = countedTools();
    const server = await startServer({
      settings: readSettings({ PORT: "0", PROCEDO_DATA_DIR: directory }),
      integrations: [integrationOf(tools)],
    });
    const target = await w1Target(server.engine, server.port, mode);
    return { target, file: path.join(directory, "procedo.sqlite"), ended, close: () => server.stop() };
  },
};
