/**
 * Restate: its server in a separate process, which stores the journal and calls the handlers here over HTTP/2. Its log
 * is synced (RocksDB with `rocksdb-disable-wal-fsync` false, its default). A run's input and each step's output are
 * stored; a step's input is not.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http2";
import { createRequire } from "node:module";
import path from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { createEndpointHandler, service, workflow } from "@restatedev/restate-sdk";
import { LARGE_AMOUNT, paymentInput, type PaymentInput, type ToolOutput, type Tools } from "../payment.ts";
import { listenOnFreePort, LOOPBACK } from "../service/loopback.ts";
import type { System } from "../system.ts";

export const restate: System = {
  name: "restate",
  async open({ directory, tools }) {
    const reached = new Map<string, () => void>();
    const handlers = createServer(
      createEndpointHandler({ services: [w1(tools), w2(tools, (id) => reached.get(id)?.())], logger: () => {} }),
    );
    const port = await listenOnFreePort(handlers);
    const folder = path.join(directory, "restate");
    const server = await startServer(folder);
    await post(`${server.admin}/deployments`, { uri: `http://${LOOPBACK}:${port}` });
    // The first run of a new server waits a second or more until its partitions have leaders.
    await post(`${server.ingress}/w1/run`, paymentInput(0));
    let last = 0;
    return {
      database: { kind: "folder", folder },
      run: async (request) => (await post(`${server.ingress}/w1/run`, request)) as ToolOutput,
      async pause(request) {
        const id = `w2-${++last}`;
        const atReview = new Promise<void>((resolve) => reached.set(id, resolve));
        await post(`${server.ingress}/w2/${id}/run/send`, request);
        await atReview;
        reached.delete(id);
        return id;
      },
      async resume(id) {
        await post(`${server.ingress}/w2/${id}/approve`, { approved: true });
        return (await answerOf(await fetch(`${server.ingress}/restate/workflow/w2/${id}/attach`))) as ToolOutput;
      },
      serverRssMb: () => server.peakRssMb(),
      async close() {
        await server.close();
        handlers.close();
      },
    };
  },
};

const w1 = (tools: Tools) =>
  service({
    name: "w1",
    handlers: {
      run: async (context, request: PaymentInput) => {
        const a = await context.run("a", () => tools.a({ request }));
        if (request.amount <= LARGE_AMOUNT) return a;
        await context.run("b", () => tools.b({ request }));
        return context.run("c", () => tools.c({ request }));
      },
    },
  });

const w2 = (tools: Tools, reachReview: (id: string) => void) =>
  workflow({
    name: "w2",
    handlers: {
      run: async (context, request: PaymentInput) => {
        await context.run("a", () => tools.a({ request }));
        reachReview(context.key);
        await context.promise("review");
        return context.run("b", () => tools.b({ request }));
      },
      approve: async (context, decision: unknown) => {
        await context.promise("review").resolve(decision);
      },
    },
  });

async function startServer(folder: string) {
  const [ingress, admin, node] = [await freeAddress(), await freeAddress(), await freeAddress()];
  const here = createRequire(import.meta.url);
  const binary = here.resolve(`@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`);
  const child = spawn(binary, ["--base-dir", folder, "--node-name", "bench", "--listen-mode", "tcp", "--no-logo"], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      RESTATE_DISABLE_TELEMETRY: "true",
      RESTATE_LOG_FILTER: "error",
      RESTATE_BIND_ADDRESS: node,
      RESTATE_ADVERTISED_ADDRESS: `http://${node}`,
      RESTATE_INGRESS__BIND_ADDRESS: ingress,
      RESTATE_ADMIN__BIND_ADDRESS: admin,
    },
  });
  const gone = once(child, "exit");
  const endWithUs = (): void => void child.kill("SIGKILL");
  process.once("exit", endWithUs);
  const isReady = async (url: string) => (await fetch(url).catch(() => undefined))?.ok === true;
  while (!(await isReady(`http://${admin}/health`)) || !(await isReady(`http://${ingress}/restate/health`))) {
    if (child.exitCode !== null) throw new Error(`restate-server ended with code ${child.exitCode}.`);
    await sleep(50);
  }
  return {
    ingress: `http://${ingress}`,
    admin: `http://${admin}`,
    async peakRssMb() {
      const status = await readFile(`/proc/${child.pid}/status`, "utf8").catch(() => "");
      return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
    },
    async close() {
      child.kill("SIGTERM");
      await gone;
      process.off("exit", endWithUs);
    },
  };
}

async function freeAddress(): Promise<string> {
  const server = createServer();
  const port = await listenOnFreePort(server);
  server.close();
  await once(server, "close");
  return `${LOOPBACK}:${port}`;
}

async function post(url: string, body: unknown): Promise<unknown> {
  return answerOf(
    await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  );
}

async function answerOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!response.ok) throw new Error(`Restate answered ${response.status}: ${text.slice(0, 300)}`);
  return text === "" ? undefined : JSON.parse(text);
}
