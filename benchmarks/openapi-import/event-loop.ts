/**
 * The effect of importing a document on the service's event loop and on other requests: the longest pause, `/healthz`,
 * and starts in the other environment meanwhile. `node --conditions=@procedo/source
 * benchmarks/openapi-import/event-loop.ts [FILE…]`: generated documents of 6 MB and 19 MB, and the given files. About a
 * minute.
 */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { withFreshFolder } from "../fresh-process.ts";
import { paymentInput } from "../payment.ts";
import { w1Document } from "../procedo-documents.ts";
import { renderText } from "../render.ts";
import { generateDocument } from "./generate-document.ts";
import type { LoopSample, ServiceStarted } from "./service-child.ts";

const HEALTH_EVERY_MS = 5;
const STARTS_EVERY_MS = 20;

const documents: readonly (readonly [name: string, text: string])[] = [
  ["6 MB", generateDocument(8_200)],
  ["19 MB", generateDocument(25_000)],
  ...process.argv.slice(2).map((file) => [path.basename(file), readFileSync(file, "utf8")] as const),
];
const rows = [
  [
    ...["document", "work", "took ms", "longest pause ms", "longest piece CPU ms"],
    ...["/healthz p99 ms", "start p50 ms", "start max ms", "RSS MB"],
  ],
];
for (const [name, text] of documents) {
  await withFreshFolder(async (directory) => {
    const made = await measureAll(directory, text);
    rows.push(...made.map((row) => [name, ...row]));
  });
}
process.stdout.write(`${renderText([rows])}\n`);

async function measureAll(directory: string, text: string): Promise<string[][]> {
  const found: string[][] = [];
  let service = await startService(directory, true);
  found.push(await measured(service, "nothing", () => sleep(1_000)));
  const spec = { text };
  found.push(await measured(service, "preview", () => send(service, "POST", "/preview", { spec })));
  const settings = { spec, baseUrl: "http://127.0.0.1:8080", authentication: { method: "none" } };
  const connection = { name: "large", integration: "custom_api", environment: "sandbox", settings };
  let id = "";
  found.push(
    await measured(service, "create", async () => {
      id = ((await send(service, "POST", "", connection)) as { readonly id: string }).id;
    }),
  );
  const changed = { settings: { spec: { text: text.replaceAll('"createResource7"', '"makeResource7"') } } };
  found.push(await measured(service, "update", () => send(service, "PATCH", `/${id}`, changed)));
  await stopService(service);
  service = await startService(directory, false);
  found.push(await measured(service, "list actions", () => send(service, "GET", `/${id}/actions?limit=100`)));
  found.push(await measured(service, "search actions", () => send(service, "GET", `/${id}/actions?search=nothing`)));
  await stopService(service);
  return found;
}

interface Service extends ServiceStarted {
  readonly child: ChildProcess;
}

async function startService(directory: string, isNew: boolean): Promise<Service> {
  const child = fork(path.join(import.meta.dirname, "service-child.ts"), [JSON.stringify({ directory, isNew })], {
    execArgv: ["--conditions=@procedo/source", "--max-semi-space-size=16"],
  });
  const [started] = (await once(child, "message")) as [ServiceStarted];
  const service = { ...started, child };
  // Code that runs for the first time is compiled meanwhile.
  await measured(service, "warm", async () => {
    await send(service, "POST", "/preview", { spec: { text: generateDocument(10) } });
    await sleep(500);
  });
  return service;
}

async function stopService({ child }: Service): Promise<void> {
  child.send("stop");
  await once(child, "exit");
}

async function measured(service: Service, name: string, work: () => Promise<unknown>): Promise<string[]> {
  const url = `http://127.0.0.1:${service.port}`;
  let isOver = false;
  const repeat = async (everyMs: number, ask: () => Promise<Response>): Promise<number[]> => {
    const took: number[] = [];
    while (!isOver) {
      const beganMs = performance.now();
      const response = await ask();
      await response.arrayBuffer();
      // An answer that timed out counts as the slowest of all.
      took.push(response.ok ? performance.now() - beganMs : Infinity);
      await sleep(everyMs);
    }
    return took.sort((a, b) => a - b);
  };
  service.child.send("begin");
  const beganMs = performance.now();
  const health = repeat(HEALTH_EVERY_MS, () => fetch(`${url}/healthz`));
  const headers = { authorization: `Bearer ${service.keys.live}`, "content-type": "application/json" };
  const start = { method: "POST", headers, body: JSON.stringify({ data: paymentInput(1) }) };
  const starts = repeat(STARTS_EVERY_MS, () => fetch(`${url}/v1/procedures/${w1Document.procedureId}/live`, start));
  await work();
  const tookMs = performance.now() - beganMs;
  isOver = true;
  const [ofHealth, ofStarts] = await Promise.all([health, starts]);
  service.child.send("end");
  const [sample] = (await once(service.child, "message")) as [LoopSample];
  const at = (sorted: readonly number[], part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? NaN;
  return [
    name,
    ...[
      ...[tookMs, sample.longestPauseMs, sample.longestPieceCpuMs],
      ...[at(ofHealth, 0.99), at(ofStarts, 0.5), at(ofStarts, 1), sample.rssMb],
    ].map((one) => one.toFixed(0)),
  ];
}

async function send({ port, keys }: Service, method: string, target: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/connections${target}`, {
    method,
    headers: {
      authorization: `Bearer ${keys.sandbox}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${method} ${target} answers ${response.status}: ${answer.slice(0, 500)}`);
  return JSON.parse(answer);
}
