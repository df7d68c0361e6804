import { startPooler, startPostgres, type Pooler, type PostgresServer } from "@procedo-testing/postgres";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PostgresStorage, type PostgresStorageOptions } from "../src/index.ts";
import { commitAll, codeOf, firstRow, post, row, scope } from "./run-rows.ts";

const committed = [{ status: "committed" }];
const settings =
  "SELECT string_agg(name || '=' || setting, ' ' ORDER BY name) FROM pg_settings WHERE source = 'session'";
const listening = "SELECT count(*) FROM pg_listening_channels()";
const prepared = "SELECT count(*) FROM pg_prepared_statements";

describe("a connection pooler", () => {
  let server: PostgresServer;
  let url: string;
  const closing: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    server = await startPostgres();
  });
  beforeEach(async () => {
    url = await server.createDatabase();
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  afterAll(() => server.close());

  async function behind(mode: "transaction" | "session", size: number, roundRobin = false): Promise<Pooler> {
    const pooler = await startPooler(url, { mode, size, roundRobin });
    closing.push(() => pooler.close());
    return pooler;
  }

  async function connect(address: string, options: PostgresStorageOptions): Promise<PostgresStorage> {
    const storage = await PostgresStorage.connect(address, options);
    closing.push(() => storage.close());
    return storage;
  }

  /** The usual calls of a storage, in and out of transactions. */
  async function work(storage: PostgresStorage, runId: string): Promise<void> {
    expect(await commitAll(storage.runs, [firstRow(runId)])).toEqual(committed);
    expect(await commitAll(storage.runs, [row(runId, 2)])).toEqual(committed);
    expect(await storage.inbox.post([post(runId)])).toMatchObject([{ status: "accepted" }]);
    expect(await storage.runs.journal({ scope, runId })).toHaveLength(2);
  }

  const shapes = [
    [1, "last"],
    [2, "last"],
    [2, "first"],
    [3, "first"],
  ] as const;
  it.each(shapes)(
    "in transaction mode is recognised at the start: %i server connections, the %s one freed is assigned next",
    async (size, freed) => {
      const pooler = await behind("transaction", size, freed === "first");
      // The maximum number of server connections, all of them free.
      const others = Array.from({ length: size }, () => new pg.Client(pooler.url));
      for (const other of others) await other.connect();
      for (const other of others) await other.query("BEGIN");
      for (const other of others) await other.query("COMMIT");
      for (const other of others) await other.end();
      for (const migrate of [true, false]) {
        const refused = PostgresStorage.connect(pooler.url, { migrate });
        await expect(refused).rejects.toMatchObject({ code: "invalid_configuration" });
        await expect(refused).rejects.toThrow(/per transaction.*session mode.*PROCEDO_DATABASE_NOTIFY=off/);
      }
    },
  );

  it("in transaction mode keeps nothing of a refused start: no setting, no listener, no statement", async () => {
    const pooler = await behind("transaction", 3);
    expect(await codeOf(PostgresStorage.connect(pooler.url))).toBe("invalid_configuration");
    const untouched = (await pooler.askServers(settings)).map(() => undefined);
    expect(untouched.length).toBeGreaterThan(0);
    expect(await pooler.askServers(settings)).toEqual(untouched);
    expect(new Set([...(await pooler.askServers(listening)), ...(await pooler.askServers(prepared))])).toEqual(
      new Set(["0"]),
    );
  });

  it("in transaction mode serves a storage without sessions, without effect on its other clients", async () => {
    const pooler = await behind("transaction", 3);
    const storage = await connect(pooler.url, { notify: false });
    await Promise.all(Array.from({ length: 8 }, (_, number) => work(storage, `run-${number}`)));
    const found = await pooler.askServers(settings);
    expect(found.length).toBeGreaterThan(0);
    expect(found).toEqual(found.map(() => undefined));
    expect(await pooler.askServers(prepared)).toEqual(found.map(() => "0"));
  });

  it("in session mode serves a storage with sessions, and keeps its settings", async () => {
    const pooler = await behind("session", 4);
    const storage = await PostgresStorage.connect(pooler.url, { poolSize: 2 });
    await work(storage, "run-1");
    await storage.close();
    const next = new pg.Client(pooler.url);
    await next.connect();
    const { rows } = await next.query(
      `SELECT (${settings}) AS settings, (${listening}) AS received, (${prepared}) AS prepared`,
    );
    await next.end();
    expect(rows).toEqual([{ settings: null, received: "0", prepared: "0" }]);
  });

  it("in transaction mode leaves the database unchanged if an acknowledged run could be lost", async () => {
    const admin = new pg.Client(url);
    await admin.connect();
    await admin.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET synchronous_commit = off`);
    await admin.end();
    const pooler = await behind("transaction", 2);
    await expect(PostgresStorage.connect(pooler.url, { notify: false })).rejects.toThrow(
      /synchronous_commit = off.*ALTER ROLE postgres SET synchronous_commit = on/,
    );
    // With sessions it is enabled.
    await work(await connect(url, {}), "run-1");
  });
});
