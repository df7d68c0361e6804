/*
 * Readers of streams: each is one connection. Reports the time from the start of a run until a reader has its name.
 */
import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import process from "node:process";

/** The JSON of the first argument. */
export interface ReadersSetup {
  readonly port: number;
  readonly keys: readonly string[];
  readonly streams: number;
  /** Whether one further reader reads nothing. */
  readonly withSilent: boolean;
  /** Saves a draft each 2 s. */
  readonly withEditor: boolean;
}

/** Answers a message `report`; the first message comes when all streams are open. */
export interface ReadersReport {
  readonly open: number;
  readonly events: number;
  readonly resyncs: number;
  /** From the start of a run until its name was read, in milliseconds. */
  readonly lagMs: { readonly p50: number; readonly p99: number; readonly most: number };
  /** Time after which the silent reader was disconnected; `undefined` while it is connected. */
  readonly silentMs: number | undefined;
  readonly saves: number;
}

const setup = JSON.parse(process.argv[2] ?? "null") as ReadersSetup;
const host = "127.0.0.1";
const saveEveryMs = 2_000;
const connectingAtOnce = 50;
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

let open = 0;
let events = 0;
let resyncs = 0;
let saves = 0;
let silentMs: number | undefined;
let lags: number[] = [];

/** The time in a run's id, which is a ULID. */
function startOf(runId: string): number {
  return Array.from(runId.slice(0, 10)).reduce((ms, letter) => ms * 32 + alphabet.indexOf(letter), 0);
}

function take(text: string): void {
  const now = Date.now();
  for (const [, id] of text.matchAll(/^data: \{"kind":"\w+"(?:,"id":"run_(\w+)")?/gm)) {
    events += 1;
    if (id !== undefined) lags.push(now - startOf(id));
  }
  if (text.includes("resync")) resyncs += 1;
}

async function follow(key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  const asked = request({ host, port: setup.port, path: "/api/v1/events", headers, agent: false }).end();
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`A stream was answered with ${response.statusCode}.`);
  open += 1;
  response.setEncoding("utf8").on("data", take);
  response.on("error", () => {});
  response.on("close", () => (open -= 1));
  await once(response, "data");
}

async function ignoreEvents(key: string): Promise<void> {
  const since = performance.now();
  const socket = connect(setup.port, host).on("error", () => {});
  socket.pause().write(`GET /api/v1/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  // A paused socket does not see the end; a write after it does.
  const probe = setInterval(() => socket.write(""), 1_000);
  await once(socket, "close");
  clearInterval(probe);
  silentMs = performance.now() - since;
}

async function save(key: string): Promise<void> {
  const path = `http://${host}:${setup.port}/api/v1/procedures/edited-${process.pid}/draft`;
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const body = JSON.stringify({ document: { name: `draft ${saves}` }, revision: saves });
  const response = await fetch(path, { method: "PUT", headers, body });
  if (response.status >= 300) throw new Error(`A draft was answered with ${response.status}: ${await response.text()}`);
  saves += 1;
}

function quantile(samples: readonly number[], part: number): number {
  return samples[Math.min(samples.length - 1, Math.floor(part * samples.length))] ?? NaN;
}

const keyOf = (n: number): string => setup.keys[Math.floor(n / 20)] ?? "";
for (let n = 0; n < setup.streams; n += connectingAtOnce) {
  const count = Math.min(connectingAtOnce, setup.streams - n);
  await Promise.all(Array.from({ length: count }, (_, index) => follow(keyOf(n + index))));
}
if (setup.withSilent) void ignoreEvents(setup.keys.at(-1) ?? "");
if (setup.withEditor) setInterval(() => void save(setup.keys.at(-1) ?? ""), saveEveryMs);
process.on("message", () => {
  const sorted = lags.toSorted((a, b) => a - b);
  const lagMs = { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99), most: quantile(sorted, 1) };
  process.send?.({ open, events, resyncs, lagMs, silentMs, saves } satisfies ReadersReport);
  events = 0;
  resyncs = 0;
  lags = [];
});
process.on("disconnect", () => process.exit());
process.send?.("open");
