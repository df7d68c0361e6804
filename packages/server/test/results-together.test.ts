import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Invocation, manifestSchema } from "@procedo/contract";
import { createEngine, defineProcedure, z } from "@procedo/engine";
import { SqliteStorage } from "@procedo/storage-sqlite";
import { expect, onTestFinished, test } from "vitest";

const by = { person: "olga" };
const environment = "sandbox";
const count = 12;

/** An engine on a SQLite file, and a private-connection client that holds calls of the given number of runs. */
async function holding() {
  const folder = await mkdtemp(path.join(tmpdir(), "procedo-together-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, "procedo.sqlite");
  const storage = await SqliteStorage.open({ path: file });
  const engine = createEngine({ storage, integrations: [], masterKey: new Uint8Array(32).fill(7) });
  await engine.start();
  onTestFinished(async () => {
    await engine.stop({ drainMs: 0 });
    await storage.close();
  });
  const { tokens } = await engine.connections.create({ name: "office", integration: "private_connection", by });
  const connections = engine.privateConnections;
  const client = await connections.authenticate(tokens?.sandbox ?? "");
  if (client === undefined) throw new Error("The token belongs to no client.");
  const input = { type: "object", properties: { n: { type: "integer" } } } as const;
  const functions = [{ name: "echo", description: "Gives the number back.", input, idempotent: true }];
  const { digest } = await connections.register(client, manifestSchema.parse({ functions }));
  await engine.procedures.publish({ document: calling, version: "v1", defaultIn: [environment], by });
  const runs = Array.from({ length: count }, (_, n) =>
    engine.runs.execute({ procedureId: "call", environment, data: { n }, by }),
  );
  const calls: Invocation[] = [];
  while (calls.length < count) calls.push(...(await connections.poll(client, { max: count, manifest: digest })));
  return { engine, client, calls, runs: Promise.all(runs), commits: () => commitsOf(file) };
}

const calling = defineProcedure({
  procedureId: "call",
  name: "Call",
  input: z.object({ n: z.int() }),
  nodes: {
    start: { kind: "start", next: "echo" },
    echo: {
      kind: "tool_call",
      connection: "office",
      action: "echo",
      arguments: { n: "{{ input.n }}" },
      next: "done",
    },
    done: { kind: "end", output: { n: "{{ nodes.echo.output }}" } },
  },
});

/** Write transactions so far: `iChange` of the WAL index (https://www.sqlite.org/walformat.html). */
async function commitsOf(databaseFile: string): Promise<number> {
  const file = await open(`${databaseFile}-shm`);
  try {
    const { buffer } = await file.read(Buffer.alloc(12), 0, 12, 0);
    return buffer.readUInt32LE(8);
  } finally {
    await file.close();
  }
}

test("results sent together become durable in one commit, with the rows that follow from them", async () => {
  const { engine, client, calls, runs, commits } = await holding();
  const results = calls.map(
    ({ id, leaseToken, input }) =>
      ({ invocationId: id, leaseToken, status: "ok", output: input["n"] ?? null }) as const,
  );
  const before = await commits();
  const settled = await engine.privateConnections.results(client, results);
  expect(settled.map(({ success }) => success)).toEqual(Array(count).fill(true));
  const ended = await runs;
  expect((await commits()) - before).toBe(1);
  expect(ended).toEqual(
    Array.from({ length: count }, (_, n) => expect.objectContaining({ status: "completed", output: { n } })),
  );
});
