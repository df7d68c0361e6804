/*
 * One run of about 23 MB and 45 readers with the weakest key: their effect on all other callers.
 *
 *   node --conditions=@procedo/source benchmarks/readers/run.ts [SECONDS]
 *
 * Prints, for each kind of read: the longest pause of the service's event loop, `/healthz` and the starts of the
 * other environment, beside the values without readers. The service and its readers are separate processes.
 */
import { fork } from "node:child_process";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Asked, ServiceMessage } from "./service-child.ts";

const seconds = Number(process.argv[2] ?? 10);
const readers = 45;
const starters = 4;
const healthEveryMs = 20;

const child = fork(new URL("service-child.ts", import.meta.url), { execArgv: ["--conditions=@procedo/source"] });
const received = (type: ServiceMessage["type"]): Promise<ServiceMessage> =>
  new Promise((resolve, reject) => {
    const listen = (reported: ServiceMessage): void => {
      if (reported.type !== type) return;
      child.off("message", listen);
      resolve(reported);
    };
    child.on("message", listen);
    child.once("exit", (code) => reject(new Error(`The service ended with ${code}.`)));
  });
const ask = (asked: Asked): void => void child.send(asked);

interface Answer {
  readonly status: number;
  readonly bytes: number;
  readonly retryAfterMs: number;
}

/** Reads an answer to its end and discards it. */
function send(agent: Agent, method: string, path: string, key?: string, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    };
    const sent = request({ agent, host: "127.0.0.1", port: service.port, method, path, headers }, (response) => {
      let bytes = 0;
      response.on("data", (chunk: Buffer) => (bytes += chunk.length));
      response.on("error", reject);
      response.on("end", () => {
        const retryAfterMs = Number(response.headers["retry-after"] ?? 0) * 1_000;
        resolve({ status: response.statusCode ?? 0, bytes, retryAfterMs });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

const ready = await received("ready");
if (ready.type !== "ready") throw new Error("The service did not begin.");
const service = ready;

interface Row {
  readonly read: string;
  readonly answers: number;
  readonly refused: number;
  readonly megabytes: number;
  readonly longestPauseMs: number;
  readonly healthP50Ms: number;
  readonly healthP99Ms: number;
  readonly healthMaxMs: number;
  readonly startsPerSecond: number;
  readonly startP99Ms: number;
  readonly startMaxMs: number;
  readonly rssMb: number;
  readonly leaseLost: number;
}

async function measure(read: string, path: string | undefined): Promise<Row> {
  const until = performance.now() + seconds * 1_000;
  const left = (): boolean => performance.now() < until;
  const tally = { answers: 0, refused: 0, bytes: 0 };
  const health: number[] = [];
  const starts: number[] = [];
  ask({ type: "begin" });

  const reader = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (path !== undefined && left()) {
      const { status, bytes, retryAfterMs } = await send(agent, "GET", path, service.readerKey);
      tally.bytes += bytes;
      if (status === 200) tally.answers += 1;
      else tally.refused += 1;
      await sleep(Math.min(retryAfterMs, Math.max(0, until - performance.now())));
    }
    agent.destroy();
  };
  const probe = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (left()) {
      const began = performance.now();
      await send(agent, "GET", "/healthz");
      health.push(performance.now() - began);
      await sleep(healthEveryMs);
    }
    agent.destroy();
  };
  const starter = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (left()) {
      const began = performance.now();
      const body = JSON.stringify({ data: { amount: 5 } });
      const { status } = await send(agent, "POST", "/v1/procedures/small/sandbox", service.starterKey, body);
      if (status === 202) starts.push(performance.now() - began);
      await sleep(5);
    }
    agent.destroy();
  };
  const began = performance.now();
  await Promise.all([
    probe(),
    ...Array.from({ length: starters }, starter),
    ...Array.from({ length: readers }, reader),
  ]);
  const took = (performance.now() - began) / 1_000;
  const reporting = received("report");
  ask({ type: "report" });
  const report = await reporting;
  if (report.type !== "report") throw new Error("The service did not report.");
  return {
    read,
    answers: tally.answers,
    refused: tally.refused,
    megabytes: tally.bytes / 1e6,
    longestPauseMs: report.longestPauseMs,
    healthP50Ms: quantile(health, 0.5),
    healthP99Ms: quantile(health, 0.99),
    healthMaxMs: quantile(health, 1),
    startsPerSecond: starts.length / took,
    startP99Ms: quantile(starts, 0.99),
    startMaxMs: quantile(starts, 1),
    rssMb: report.rssMb,
    leaseLost: report.leaseLost,
  };
}

function quantile(samples: readonly number[], part: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? NaN;
}

const run = `/api/v1/runs/${service.runId}`;
const cases: readonly (readonly [name: string, path: string | undefined])[] = [
  ["nothing (warm-up)", undefined],
  ["nothing", undefined],
  ["the poll", `/runs/${service.runId}`],
  ["include=steps", `${run}?include=steps`],
  ["include=timeline", `${run}?include=timeline`],
  ["one step", `${run}/steps/page7/1`],
  ["the signed export", `${run}/audit`],
];
console.log(
  "| 45 readers of | answered | refused | MB | longest pause ms | /healthz p50, p99, max ms | starts/s | start p99, max ms | RSS MB | lease warnings |",
);
console.log("|---|---|---|---|---|---|---|---|---|---|");
for (const [name, path] of cases) {
  const row = await measure(name, path);
  const ms = (value: number): string => value.toFixed(value < 10 ? 1 : 0);
  console.log(
    `| ${name} | ${row.answers} | ${row.refused} | ${row.megabytes.toFixed(0)} | ${ms(row.longestPauseMs)} | ` +
      `${ms(row.healthP50Ms)}, ${ms(row.healthP99Ms)}, ${ms(row.healthMaxMs)} | ${row.startsPerSecond.toFixed(0)} | ` +
      `${ms(row.startP99Ms)}, ${ms(row.startMaxMs)} | ${row.rssMb.toFixed(0)} | ${row.leaseLost} |`,
  );
}
child.removeAllListeners("exit");
ask({ type: "stop" });
