import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { ProcedureDocument } from "@procedo/contract";
import { readSettings, startServer, type RunningServer } from "@procedo/server";
import { tally, type Tally } from "../crash/tally.ts";
import { forTier, type ProofGroup, type ProofOptions } from "../proof-group.ts";
import { callService, callWell, type Answer } from "./call-service.ts";

const roundsOf = { commit: 20, nightly: 200, release: 200 };
/** Each of these rounds takes as long as a write waits for a lock. */
const lockedRoundsOf = { commit: 2, nightly: 20, release: 20 };

const startsPerRound = 5;
/** SQLite's own limit. */
const mostPages = 2 ** 32 - 2;
/** More data than the file's free pages can hold. */
const large = { text: "x".repeat(400_000) };

/** service-disk: the disk fails under a working server. The adapter's own part is a test of its package. */
export const faultyDisk: ProofGroup = {
  id: "service-disk",
  title: "A disk that is full, read-only or locked by another process, under the whole service",
  lowered: { commit: "2 rounds with a lock, as each takes the 4 s that a write waits for it; 20 at night." },
  run: async (options) => {
    const total = tally();
    const folder = await mkdtemp(join(tmpdir(), "procedo-disk-"));
    try {
      await seeingConnections((connections) => failOften(folder, connections, options, total));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    return total.result();
  },
};

interface Service {
  readonly server: RunningServer;
  readonly key: string;
  readonly connections: ReadonlySet<DatabaseSync>;
  readonly path: string;
}

/** A fault of the disk: causes it, and returns a function that ends it. */
type Fault = (service: Service) => () => void;

const full: Fault = ({ connections }) => {
  const open = [...connections].filter(({ isOpen }) => isOpen);
  const limit = (pages: number): void => {
    for (const connection of open) connection.exec(`PRAGMA max_page_count = ${pages}`);
  };
  limit(Number(open[0]?.prepare("PRAGMA page_count").get()?.["page_count"]));
  return () => limit(mostPages);
};

const readOnly: Fault = ({ connections }) => {
  const open = [...connections].filter(({ isOpen }) => isOpen);
  const set = (value: string): void => open.forEach((connection) => connection.exec(`PRAGMA query_only = ${value}`));
  set("ON");
  return () => set("OFF");
};

/** A second connection, which SQLite treats like another process. */
const locked: Fault = ({ path }) => {
  const other = new DatabaseSync(path);
  other.exec("BEGIN IMMEDIATE");
  return () => {
    other.exec("ROLLBACK");
    other.close();
  };
};

async function failOften(
  folder: string,
  connections: ReadonlySet<DatabaseSync>,
  { tier, seeds, report }: ProofOptions,
  total: Tally,
): Promise<void> {
  const env = { PORT: "0", PROCEDO_DATA_DIR: folder, PROCEDO_LOG_LEVEL: "silent" };
  const server = await startServer({ settings: readSettings(env), integrations: [] });
  try {
    const by = { person: "operator" };
    await server.engine.procedures.publish({ document, version: "1", defaultIn: ["sandbox"], by });
    const { key } = await server.engine.keys.create({ name: "load", environment: "sandbox", by });
    const service = { server, key, connections, path: databaseIn(folder) };
    const plan: readonly (readonly [name: string, fault: Fault, rounds: number, data: object])[] = [
      ["full", full, seeds ?? forTier(tier, roundsOf), large],
      ["readOnly", readOnly, seeds ?? forTier(tier, roundsOf), {}],
      ["locked", locked, forTier(tier, lockedRoundsOf), {}],
    ];
    const acknowledged: string[] = [];
    for (const [name, fault, rounds, data] of plan) {
      for (let round = 0; round < rounds; round++) {
        acknowledged.push(await start(service, {}));
        await failOnce(service, fault(service), data, acknowledged, (what) =>
          total.fail(`service-disk ${name}, round ${round}: ${what}`),
        );
        acknowledged.push(await start(service, {}));
        total.add(name);
      }
      report(`service-disk: ${rounds} rounds with the disk ${name}`);
    }
    for (const runId of acknowledged) await callWell(`${server.runnerUrl}/runs/${runId}`, key);
    total.add("acknowledgedRuns", acknowledged.length);
  } finally {
    await server.stop({ drainMs: 0 });
  }
  const database = new DatabaseSync(databaseIn(folder));
  const integrity = database.prepare("PRAGMA integrity_check").get()?.["integrity_check"];
  database.close();
  if (integrity !== "ok") total.fail(`service-disk: integrity_check says ${String(integrity)}.`);
}

/** Writes are refused as temporary, reads continue, and no restart is needed after the fault. */
async function failOnce(
  service: Service,
  mend: () => void,
  data: object,
  known: readonly string[],
  broken: (what: string) => void,
): Promise<void> {
  const { server, key } = service;
  try {
    const starts = Array.from({ length: startsPerRound }, () => tryStart(service, data));
    const read = await callService(`${server.runnerUrl}/runs/${known.at(-1) ?? ""}`, key);
    if (read?.status !== 200) broken(`a read was answered ${read?.status}`);
    for (const answer of await Promise.all(starts)) {
      if (answer?.status !== 503) broken(`a start was answered ${answer?.status}: ${answer?.text.slice(0, 200)}`);
      else if (!/^\d+$/.test(answer.headers.get("retry-after") ?? "")) broken("a 503 came without Retry-After");
    }
    const alive = await callService(`${server.runnerUrl}/healthz`, undefined);
    if (alive?.status !== 200) broken(`the process reports that it is dead: ${alive?.status}`);
  } finally {
    mend();
  }
}

function tryStart({ server, key }: Service, data: object): Promise<Answer | undefined> {
  return callService(`${server.runnerUrl}/v1/procedures/ask/sandbox`, key, { body: { data } });
}

async function start(service: Service, data: object): Promise<string> {
  const answer = await tryStart(service, data);
  if (answer?.status !== 202)
    throw new Error(`A start on a sound disk was answered ${answer?.status}: ${answer?.text}`);
  return (JSON.parse(answer.text) as { readonly runId: string }).runId;
}

/** A run with a review: it writes once, and parks. */
const document: ProcedureDocument = {
  schemaVersion: 1,
  procedureId: "ask",
  name: "Ask",
  input: { type: "object", properties: { text: { type: "string" } } },
  nodes: [
    { id: "start", kind: "start" },
    { id: "ask", kind: "human_review", title: "Go on?" },
    { id: "done", kind: "end" },
  ],
  edges: [
    { from: "start", to: "ask" },
    { from: "ask", to: "done" },
  ],
};

const databaseIn = (folder: string): string => join(folder, "procedo.sqlite");

/** Reports every connection on which this process prepares a statement during the work. */
async function seeingConnections(work: (connections: ReadonlySet<DatabaseSync>) => Promise<void>): Promise<void> {
  const { prototype } = DatabaseSync;
  const { prepare } = prototype;
  const connections = new Set<DatabaseSync>();
  prototype.prepare = function (this: DatabaseSync, ...args) {
    connections.add(this);
    return prepare.apply(this, args);
  };
  try {
    await work(connections);
  } finally {
    prototype.prepare = prepare;
  }
}
