import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { CreatedApiKey } from "@procedo/contract";
import { inquiry } from "./bank.ts";
import {
  call,
  fileWith,
  makePlace,
  procedo,
  procedoJson,
  startProcess,
  withEngine,
  type Place,
  type ServerProcess,
} from "./server-process.ts";
import { openVault, type Vault } from "./vault.ts";

let place: Place;
let vault: Vault;
let server: ServerProcess;
let key: string;

beforeEach(async () => {
  place = makePlace();
  vault = await openVault();
  server = await startProcess(place);
  const by = { person: "operator" };
  const connection = { name: "vault", integration: "vault", environment: "sandbox" } as const;
  await withEngine(place, async (engine) => {
    await engine.connections.create({ ...connection, settings: { url: vault.url }, secrets: { token: "token" }, by });
  });
  await procedoJson(place, "procedures", "publish", fileWith(place, "inquiry.json", inquiry), "--version", "1");
  const create = ["keys", "create", "--name", "test", "--environment", "sandbox"];
  key = (await procedoJson<CreatedApiKey>(place, ...create)).key;
});

afterEach(async () => {
  server.kill("SIGKILL");
  await server.ended;
  vault.close();
  place.remove();
});

const path = "/v1/procedures/inquiry/sandbox";
const sync = { data: { question: "6 x 9" }, control: { executionMode: "sync" } };

test.each(["SIGTERM", "SIGINT"] as const)("%s: open requests are answered, and the exit code is 0", async (signal) => {
  const reply = call(server.url + path, key, sync);
  const question = await vault.next();
  server.kill(signal);
  await expect.poll(server.output).toContain("The server is draining.");
  question.answer("42");
  expect(await reply).toMatchObject({ status: 200, body: { status: "completed", output: { answer: "42" } } });
  expect(await server.ended).toBe(0);
  expect(server.output()).toContain("The server has stopped.");
});

test("a draining server waits for a call in progress and records its answer", async () => {
  const { body } = await call(server.url + path, key, { data: sync.data });
  const { runId } = body as { readonly runId: string };
  const question = await vault.next();
  server.kill("SIGTERM");
  await expect.poll(server.output).toContain('"drainMs":60000');
  question.answer("42");
  expect(await server.ended).toBe(0);
  server = await startProcess(place);
  const run = async () => (await call(`${server.url}/runs/${runId}`, key)).body;
  await expect.poll(run).toMatchObject({ status: "completed", output: { answer: "42" } });
  expect(
    (await procedoJson<{ steps: { attempts?: unknown[] }[] }>(place, "runs", "show", runId)).steps[1]?.attempts,
  ).toHaveLength(1);
});

test("--drain limits that time, and the record names the reason of the aborted call", async () => {
  server.kill("SIGKILL");
  await server.ended;
  server = await startProcess(place, "--drain", "0");
  const { body } = await call(server.url + path, key, { data: sync.data });
  const { runId } = body as { readonly runId: string };
  await vault.next();
  server.kill("SIGTERM");
  expect(await server.ended).toBe(0);
  expect(server.output()).toContain('"drainMs":0');
  const { out } = await procedo(place, "runs", "show", runId, "--json");
  expect(out).toContain("was stopped by a shutdown before it was answered.");
});

test.each(["-1", "3601", "soon", ""])("--drain %s is rejected with the allowed range", async (seconds) => {
  const { code, err } = await procedo(place, "start", `--drain=${seconds}`);
  expect([code, err]).toEqual([2, expect.stringContaining("Give a number of seconds from 0 to 3600.")]);
});

test("a draining server accepts no connection, answers the open request, and accepts no other on its connection", async () => {
  expect(await call(`${server.url}/readyz`, key)).toEqual({ status: 200, body: { status: "ready" } });
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  let received = "";
  socket.on("data", (chunk) => (received += String(chunk)));
  const body = JSON.stringify(sync);
  const headers = `Host: ${hostname}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
  socket.write(`POST ${path} HTTP/1.1\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`);
  const question = await vault.next();
  server.kill("SIGTERM");
  await expect.poll(server.output).toContain("The server is draining.");
  socket.write(`GET /readyz HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
  await expect(fetch(`${server.url}/readyz`)).rejects.toThrow();
  question.answer("42");
  await once(socket, "close");
  expect(received).toMatch(/^HTTP\/1\.1 200 [^]*"completed"/);
  expect(received.match(/HTTP\/1\.1/g)).toHaveLength(1);
  expect(await server.ended).toBe(0);
});

test("a signal right after the start stops the server like any other", async () => {
  server.kill("SIGTERM");
  await server.ended;
  for (let times = 0; times < 5; times++) {
    server = await startProcess(place);
    server.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  }
});

test("a second signal ends the process immediately", async () => {
  const reply = call(server.url + path, key, sync).catch(() => "cut");
  await vault.next();
  server.kill("SIGTERM");
  await expect.poll(server.output).toContain("The server is draining.");
  server.kill("SIGTERM");
  expect(await server.ended).toBe(1);
  expect(await reply).toBe("cut");
});

test("after a kill in the middle of a call and a restart, keys, versions and the run exist, and the run ends", async () => {
  const { body } = await call(server.url + path, key, { data: sync.data });
  const { runId } = body as { readonly runId: string };
  const first = await vault.next();
  server.kill("SIGKILL");
  expect(await server.ended).toBe("SIGKILL");

  server = await startProcess(place);
  // The killed worker sends no heartbeats; the run is taken over when its lease expires.
  const second = await vault.next();
  second.answer("42");
  expect(second.idempotencyKey).toBe(first.idempotencyKey);
  const run = async () => (await call(`${server.url}/runs/${runId}`, key)).body;
  await expect.poll(run).toMatchObject({ status: "completed", output: { answer: "42" } });
  expect(await procedo(place, "audit", "verify")).toMatchObject({ code: 0 });
});
