/**
 * Sends a request to the echo server on the port in the first argument, every few milliseconds for the milliseconds in
 * the second; prints its quantiles.
 */
import http from "node:http";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { quantile } from "../closed-loop.ts";

const PAUSE_MS = 4;

const port = Number(process.argv[2]);
const endsAt = performance.now() + Number(process.argv[3]);
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const latencies: number[] = [];

const echo = () =>
  new Promise<void>((resolve, reject) => {
    const request = http.request({ port, agent, method: "POST" }, (response) => {
      response.resume().once("end", resolve);
    });
    request.once("error", reject).end('{"ping":true}');
  });

await echo();
while (performance.now() < endsAt) {
  const begin = performance.now();
  await echo();
  latencies.push(performance.now() - begin);
  await sleep(PAUSE_MS);
}
agent.destroy();
const result = { p50Ms: quantile(latencies, 0.5), p99Ms: quantile(latencies, 0.99), maxMs: quantile(latencies, 1) };
process.stdout.write(JSON.stringify(result));
