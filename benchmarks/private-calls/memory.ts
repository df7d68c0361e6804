/**
 * The memory of the private connection's client after many calls, and after many reconnects, with none in progress.
 * `node --conditions=@procedo/source benchmarks/private-calls/memory.ts [--calls 100000] [--reconnects 1000]`: about
 * two minutes.
 *
 * A reconnect follows a connection that breaks in a relay between client and service; the client waits a twentieth of
 * the usual delay.
 */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { closedLoop } from "../closed-loop.ts";
import { withFreshFolder } from "../fresh-process.ts";
import type { CallsService } from "./calls-child.ts";
import type { MemoryClientMessage, MemoryClientSetup } from "./memory-client-child.ts";
import { listenProcedo } from "./procedo-service.ts";

const { values: options } = parseArgs({
  options: { calls: { type: "string", default: "100000" }, reconnects: { type: "string", default: "1000" } },
});
const POINTS = 10;
const IN_FLIGHT = 32;

await withFreshFolder(async (directory) => {
  const service = await listenProcedo(directory, 1);
  try {
    await overCalls(service, Number(options.calls));
    await overReconnects(service, Number(options.reconnects));
  } finally {
    await service.close();
  }
});

async function overCalls(service: CallsService, calls: number): Promise<void> {
  const client = await startClient({ url: service.url, token: service.token, slots: IN_FLIGHT, timersDividedBy: 1 });
  await service.prepare();
  let made = 0;
  print("calls", "RSS MB", "heap MB");
  await atPoints(calls, async (until) => {
    while (made < until) {
      const { total } = await closedLoop({ concurrency: IN_FLIGHT, warmupMs: 0, measureMs: 500 }, async (n) => {
        await service.call(n);
        return 0;
      });
      made += total;
    }
    await tellMemory(client, made);
  });
  await end(client);
}

async function overReconnects(service: CallsService, reconnects: number): Promise<void> {
  const sockets = new Set<Socket>();
  const target = Number(new URL(service.url).port);
  const relay = createServer((from) => {
    const to = connect(target, "127.0.0.1");
    for (const socket of [from, to]) {
      sockets.add(socket);
      socket
        .on("error", () => {})
        .on("close", () => {
          sockets.delete(socket);
          from.destroy();
          to.destroy();
        });
    }
    from.pipe(to).pipe(from);
  });
  relay.listen(0, "127.0.0.1");
  await once(relay, "listening");
  const url = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`;
  const client = await startClient({ url, token: service.token, slots: IN_FLIGHT, timersDividedBy: 20 });
  let made = 0;
  print("reconnects", "RSS MB", "heap MB");
  await atPoints(reconnects, async (until) => {
    for (; made < until; made++) {
      const [lost, again] = [answered(client, "reconnecting"), answered(client, "connected")];
      // A connection that is being opened loses nothing.
      const breaking = setInterval(() => {
        for (const socket of sockets) socket.destroy();
      }, 5);
      await lost;
      clearInterval(breaking);
      await again;
      // A client without an answer waits longer each time.
      await service.call(made);
    }
    await tellMemory(client, made);
  });
  await end(client);
  relay.close();
}

async function startClient(setup: MemoryClientSetup): Promise<ChildProcess> {
  const flags = ["--expose-gc", "--conditions=@procedo/source"];
  const child = path.join(import.meta.dirname, "memory-client-child.ts");
  const client = fork(child, [JSON.stringify(setup)], { execArgv: flags });
  await answered(client, "connected");
  return client;
}

/** The next message of this kind. */
async function answered<Kind extends MemoryClientMessage["kind"]>(
  client: ChildProcess,
  kind: Kind,
): Promise<Extract<MemoryClientMessage, { readonly kind: Kind }>> {
  for (;;) {
    const [message] = (await once(client, "message")) as [MemoryClientMessage];
    if (message.kind === kind) return message as Extract<MemoryClientMessage, { readonly kind: Kind }>;
  }
}

async function tellMemory(client: ChildProcess, after: number): Promise<void> {
  const reported = answered(client, "memory");
  client.send("memory");
  const { rssMb, heapMb } = await reported;
  print(String(after), rssMb.toFixed(1), heapMb.toFixed(1));
}

async function atPoints(end: number, reach: (until: number) => Promise<void>): Promise<void> {
  for (let point = 1; point <= POINTS; point++) await reach(Math.round((end * point) / POINTS));
}

async function end(client: ChildProcess): Promise<void> {
  const gone = once(client, "close");
  client.kill("SIGKILL");
  await gone;
}

function print(...columns: readonly string[]): void {
  process.stdout.write(`${columns.map((column) => column.padStart(11)).join("")}\n`);
}
