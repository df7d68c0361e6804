/** The service that imports documents, as it is shipped. Controlled over IPC: `begin` a measurement, `end` it. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import process from "node:process";
import type { Environment } from "@procedo/contract";
import { readSettings, startServer } from "@procedo/server";
import { integrationOf } from "../procedo.ts";
import { instantTools } from "../payment.ts";
import { w1Document } from "../procedo-documents.ts";

export interface ServiceStarted {
  readonly port: number;
  /** By environment. */
  readonly keys: { readonly sandbox: string; readonly live: string };
}

/** The event loop since `begin`, in milliseconds; the process, in MB. */
export interface LoopSample {
  readonly longestPauseMs: number;
  /** The most processor time of the event loop's thread between two timers of 1 ms, which excludes other processes. */
  readonly longestPieceCpuMs: number;
  readonly rssMb: number;
}

const { directory, isNew } = JSON.parse(process.argv[2] ?? "") as {
  readonly directory: string;
  readonly isNew: boolean;
};

const server = await startServer({
  settings: readSettings({
    PORT: "0",
    PROCEDO_DATA_DIR: directory,
    PROCEDO_LOG_LEVEL: "warn",
    PROCEDO_ALLOW_NETWORKS: "127.0.0.0/8",
  }),
  integrations: [integrationOf(instantTools)],
});
const by = { person: "alice" };
const { engine } = server;
if (isNew) await engine.procedures.publish({ document: w1Document, version: "v1", defaultIn: ["live"], by });
const keyOf = async (environment: Environment): Promise<string> =>
  (await engine.keys.create({ name: `bench ${server.port}`, environment, by })).key;
const started: ServiceStarted = {
  port: server.port,
  keys: { sandbox: await keyOf("sandbox"), live: await keyOf("live") },
};
const delays = monitorEventLoopDelay({ resolution: 1 });
delays.enable();
let longestPieceCpuMs = 0;
let usedMs = threadCpuMs();
setInterval(() => {
  const nowMs = threadCpuMs();
  longestPieceCpuMs = Math.max(longestPieceCpuMs, nowMs - usedMs);
  usedMs = nowMs;
}, 1).unref();
process.on("message", (asked: "begin" | "end" | "stop") => {
  if (asked === "begin") {
    delays.reset();
    longestPieceCpuMs = 0;
  }
  if (asked === "end") {
    const sample: LoopSample = {
      longestPauseMs: delays.max / 1e6,
      longestPieceCpuMs,
      rssMb: process.memoryUsage().rss / 1e6,
    };
    process.send?.(sample);
  }
  if (asked === "stop") void server.stop().then(() => process.exit(0));
});
process.on("disconnect", () => process.exit(1));
process.send?.(started);

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
