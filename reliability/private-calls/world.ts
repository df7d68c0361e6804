import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { testAuthority } from "@procedo-testing/certificates";
import { defineProcedure, z } from "@procedo/engine";
import { startFront, type Front } from "./front.ts";
import {
  messageOf,
  startProcess,
  type ClientMessage,
  type FunctionName,
  type Killable,
  type Made,
  type ServiceReady,
  type ServiceSetup,
} from "./processes.ts";

/** A run of one call, as the parent knows it. */
export interface Started {
  readonly n: number;
  readonly name: FunctionName;
  readonly runId: string;
}

/** The end of a run. */
export interface EndedRun extends Started {
  readonly status: string;
  readonly error: string | undefined;
  /** The result of the call, or the result that a person entered. */
  readonly said: { readonly n?: number; readonly client?: string; readonly decided?: boolean } | undefined;
}

/** A service with a database, a proxy before it, and its clients; all may be killed. */
export interface CallsWorld {
  readonly front: Front;
  /** Rejects when a process dies without being killed by this world, with its last output. */
  readonly broken: Promise<never>;
  /** The number of started runs. */
  readonly runs: number;
  startClient(client: string, options?: { readonly workMs?: number; readonly concurrency?: number }): Promise<Killable>;
  killService(): Promise<void>;
  /**
   * Drains the service and boots it again. Returns the time without service, in milliseconds of the machine's clock.
   */
  drainService(): Promise<number>;
  /** Kills the service, and prevents its boot for this time, in milliseconds of the machine's clock. */
  outage(ms: number): Promise<void>;
  /** Boots the service again if it is dead. */
  ensureService(): Promise<void>;
  /**
   * Starts a run that calls the function, also during kills and restarts of the service. Calls of one pair end at the
   * same time if one client makes both; 0 for no pair.
   */
  start(name: FunctionName, pair?: number): Promise<Started>;
  /** Waits until the run has ended. A person decides each uncertain call as made. */
  waitForEnd(started: Started): Promise<EndedRun>;
  /** All calls of handlers. */
  made(): readonly Made[];
  close(): Promise<void>;
}

/** Data are in the repository, because a temporary folder is often in memory, where writes need no durability. */
const dataFolder = join(import.meta.dirname, "../../.procedo");
const lookMs = 50;

export async function createCallsWorld(name: string): Promise<CallsWorld> {
  await mkdir(dataFolder, { recursive: true });
  const folder = await mkdtemp(join(dataFolder, `calls-${name}-`));
  const keyPath = join(folder, "procedo.key");
  const ledgerPath = join(folder, "ledger.jsonl");
  writeFileSync(ledgerPath, "");
  const sinceMs = Date.now();
  const front = await startFront();
  const clients: Killable[] = [];
  const broken = Promise.withResolvers<never>();
  // Each wait of this world races with it.
  broken.promise.catch(() => {});
  let isBroken = false;
  const start = (...what: Parameters<typeof startProcess>): Killable => {
    const process = startProcess(...what);
    process.child.once("close", () => {
      if (process.diedByItself === undefined) return;
      isBroken = true;
      broken.reject(new Error(process.diedByItself));
    });
    return process;
  };
  let service: Killable | undefined;
  let booting: Promise<void> | undefined;
  let made: ServiceReady["made"];
  let runs = 0;

  const boot = async (): Promise<void> => {
    const databasePath = join(folder, "procedo.sqlite");
    const setup: ServiceSetup = { databasePath, keyPath, sinceMs, isNew: made === undefined };
    service = start("service-process.ts", setup);
    const ready = await messageOf<ServiceReady>(service);
    made ??= ready.made;
    front.servicePort = ready.port;
  };

  /**
   * Sends a request to the service itself until it answers.
   *
   * @throws Error if it was refused, or if a process of this world died without being killed
   */
  const ask = async <T>(method: string, path: string, body?: object, more: Record<string, string> = {}): Promise<T> => {
    for (;;) {
      if (isBroken) await broken.promise;
      await world.ensureService();
      const headers = { authorization: `Bearer ${made?.key ?? ""}`, "content-type": "application/json", ...more };
      const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
      const response = await fetch(`http://127.0.0.1:${front.servicePort ?? 0}${path}`, init).catch(() => undefined);
      const text = await response?.text().catch(() => undefined);
      if (response === undefined || text === undefined || response.status === 503) {
        await pause(lookMs);
        continue;
      }
      if (response.ok) return JSON.parse(text) as T;
      throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
    }
  };

  /** Resolves once its functions are known. */
  const publish = async (name: FunctionName): Promise<void> => {
    const path = `/api/v1/procedures/${name}`;
    // An answer may be lost after the version was published.
    await ask("POST", `${path}/versions`, { version: "v1", document: documentOf(name) }).catch((error: unknown) => {
      if (!/version_exists/.test(String(error))) throw error;
    });
    await ask("PUT", `${path}/defaults/sandbox`, { version: "v1" });
  };
  let published: Promise<unknown> | undefined;

  const decide = async (runId: string): Promise<void> => {
    const { data } = await ask<{ data: readonly { id: string; runId: string; digest: string }[] }>(
      "GET",
      `/api/v1/reviews?status=open&limit=100`,
    );
    const review = data.find((one) => one.runId === runId);
    if (review === undefined) return;
    const decision = {
      approved: true,
      outputs: { decided: true },
      idempotencyKey: randomUUID(),
      reviewId: review.id,
      reviewDigest: review.digest,
    };
    // A result that came in the meantime has settled it.
    await ask("POST", `/api/runner-proxy/review/${runId}`, decision).catch((error: unknown) => {
      if (!/already_decided|review_not_found/.test(String(error))) throw error;
    });
  };

  const world: CallsWorld = {
    front,
    broken: broken.promise,
    get runs() {
      return runs;
    },
    startClient: async (client, { workMs = 20, concurrency = 4 } = {}) => {
      await world.ensureService();
      const own = { client, url: front.url, token: made?.token, ca: testAuthority };
      const process = start("client-process.ts", { ...own, concurrency, sinceMs, ledgerPath, workMs });
      clients.push(process);
      await messageOf<ClientMessage>(process, ({ type }) => type === "connected");
      await (published ??= Promise.all([publish("pay"), publish("look")]));
      return process;
    },
    killService: async () => {
      const dying = service;
      service = undefined;
      front.servicePort = undefined;
      await dying?.kill();
    },
    drainService: async () => {
      const draining = service;
      const fromMs = performance.now();
      booting = (async () => {
        await draining?.drain();
        await boot();
      })().finally(() => (booting = undefined));
      await booting;
      return Math.round(performance.now() - fromMs);
    },
    outage: async (ms) => {
      const dying = service;
      front.servicePort = undefined;
      booting = (async () => {
        await dying?.kill();
        await pause(ms);
        await boot();
      })().finally(() => (booting = undefined));
      await booting;
    },
    ensureService: async () => {
      if (service !== undefined && booting === undefined) return;
      booting ??= boot().finally(() => (booting = undefined));
      await booting;
    },
    start: async (name, pair = 0) => {
      const n = (runs += 1);
      const key = { "idempotency-key": `start-${n}` };
      const { runId } = await ask<{ runId: string }>(
        "POST",
        `/v1/procedures/${name}/sandbox`,
        { data: { n, pair } },
        key,
      );
      return { n, name, runId };
    },
    waitForEnd: async (started) => {
      for (;;) {
        const run = await ask<{ status: string; error?: string; output?: { said: EndedRun["said"] } }>(
          "GET",
          `/runs/${started.runId}`,
        );
        const { status, error, output } = run;
        if (status === "completed" || status === "failed") return { ...started, status, error, said: output?.said };
        if (status === "awaiting_review") await decide(started.runId);
        await pause(lookMs);
      }
    },
    made: () =>
      readFileSync(ledgerPath, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as Made),
    close: async () => {
      await Promise.all(clients.map((client) => client.kill()));
      await world.killService();
      await front.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return world;
}

/** An hour as the timeout of calls, so that a busy machine causes no failure. */
const hourMs = 3_600_000;

function documentOf(name: FunctionName): object {
  return defineProcedure({
    procedureId: name,
    name,
    input: z.object({ n: z.int(), pair: z.int() }),
    nodes: {
      start: { kind: "start", next: "call" },
      call: {
        kind: "tool_call",
        connection: "office",
        action: name,
        arguments: { n: "{{ input.n }}", pair: "{{ input.pair }}" },
        timeoutMs: hourMs,
        next: "done",
      },
      done: { kind: "end", output: { said: "{{ nodes.call.output }}" } },
    },
  });
}
