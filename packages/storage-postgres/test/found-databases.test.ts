import { startPostgres, type PostgresServer } from "@procedo-testing/postgres";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { PostgresStorage } from "../src/index.ts";
import { commitAll, firstRow, post, row, scope } from "./run-rows.ts";

const committed = [{ status: "committed" }];

describe("a database with an operator's settings", () => {
  let server: PostgresServer;
  let admin: pg.Client;
  let names = 0;
  const closing: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    server = await startPostgres();
    admin = new pg.Client(server.url);
    await admin.connect();
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  afterAll(async () => {
    await admin.end();
    await server.close();
  });

  /** A database and a role with the same name, which owns it. */
  async function create(options = ""): Promise<{ readonly name: string; readonly url: string }> {
    const name = `found_${++names}`;
    await admin.query(`CREATE ROLE ${name} LOGIN PASSWORD 'secret'`);
    await admin.query(`CREATE DATABASE ${name} OWNER ${name} ${options}`);
    const url = new URL(server.url);
    Object.assign(url, { pathname: `/${name}`, username: name, password: "secret" });
    return { name, url: url.href };
  }

  async function connect(
    url: string,
    options: Parameters<typeof PostgresStorage.connect>[1] = {},
  ): Promise<PostgresStorage> {
    const storage = await PostgresStorage.connect(url, options);
    closing.push(() => storage.close());
    return storage;
  }

  it.each(["LATIN1", "SQL_ASCII"])("with the encoding %s is refused by name, with the remedy", async (encoding) => {
    const { url, name } = await create(`ENCODING '${encoding}' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0`);
    for (const notify of [true, false]) {
      const refused = PostgresStorage.connect(url, { notify });
      await expect(refused).rejects.toMatchObject({ code: "invalid_configuration" });
      await expect(refused).rejects.toThrow(
        new RegExp(`"${name}" has the encoding ${encoding}.*CREATE DATABASE .* ENCODING 'UTF8' .*TEMPLATE template0`),
      );
    }
  });

  it("with another client encoding keeps every text", async () => {
    const { url, name } = await create();
    await admin.query(`ALTER ROLE ${name} SET client_encoding = 'LATIN1'`);
    const withEncoding = new URL(url);
    withEncoding.searchParams.set("client_encoding", "LATIN1");
    for (const [number, address] of [url, withEncoding.href].entries()) {
      const storage = await connect(address);
      const runId = `run-${number}`;
      const first = firstRow(runId, { body: JSON.stringify({ text: "Zürich, 東京, 😀" }) });
      expect(await commitAll(storage.runs, [first])).toEqual(committed);
      const [read] = await storage.runs.journal({ scope, runId });
      expect(read?.body).toBe(first.body);
    }
  });

  it.each([true, false])(
    "with settings of every kind on its role works in the same way (sessions: %s)",
    async (notify) => {
      const { url, name } = await create();
      for (const setting of [
        "default_transaction_isolation = 'serializable'",
        "lock_timeout = '30s'",
        "transaction_timeout = '30s'",
        "array_nulls = off",
        "standard_conforming_strings = off",
        "DateStyle = 'German'",
        "IntervalStyle = 'sql_standard'",
        "TimeZone = 'Asia/Kathmandu'",
        "bytea_output = 'escape'",
        "extra_float_digits = -15",
        "search_path = ''",
        "xmloption = 'document'",
        "quote_all_identifiers = on",
        "client_min_messages = 'debug1'",
      ]) {
        await admin.query(`ALTER ROLE ${name} SET ${setting}`);
      }
      if (!notify) {
        await expect(connect(url, { notify })).rejects.toThrow(`Say ALTER ROLE ${name} SET array_nulls = on`);
        await admin.query(`ALTER ROLE ${name} SET array_nulls = on`);
      }
      const storage = await connect(url, { notify });
      const runIds = ["run-1", "run-2", "run-3"];
      expect(
        await commitAll(
          storage.runs,
          runIds.map((runId) => firstRow(runId)),
        ),
      ).toHaveLength(3);
      const parked = { kind: "parked", status: "awaiting_review", wakeAtMs: undefined } as const;
      const rows = runIds.map((runId, index) => row(runId, 2, index === 0 ? { then: parked } : {}));
      expect(await commitAll(storage.runs, rows)).toEqual([...committed, ...committed, ...committed]);
      const claimFor = "worker-2";
      expect(await storage.inbox.post([{ ...post("run-1"), claimFor }])).toMatchObject([
        { status: "accepted", claimed: { runId: "run-1", epoch: 2 } },
      ]);
      const { items } = await storage.runs.list({ scope, limit: 9 });
      expect(items.map(({ runId, endedAtMs, error }) => [runId, endedAtMs, error])).toEqual(
        ["run-3", "run-2", "run-1"].map((runId) => [runId, undefined, undefined]),
      );
    },
  );

  it("whose acknowledged commits are not on disk is corrected, or refused by name", async () => {
    const { url, name } = await create();
    await admin.query(`ALTER ROLE ${name} SET synchronous_commit = off`);
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    closing.push(() => pool.end());
    const storage = await PostgresStorage.open({ pool });
    closing.push(() => storage.close());
    expect(await commitAll(storage.runs, [firstRow("run-1")])).toEqual(committed);
    expect((await pool.query("SHOW synchronous_commit")).rows).toEqual([{ synchronous_commit: "on" }]);
    await expect(PostgresStorage.connect(url, { notify: false })).rejects.toThrow(
      `Run ALTER ROLE ${name} SET synchronous_commit = on`,
    );
  });

  it("that is read-only is refused at a start, but can be read by a command", async () => {
    const { url, name } = await create();
    await (await connect(url)).runs.commit(firstRow("run-1"));
    await admin.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    const refused = PostgresStorage.connect(url);
    await expect(refused).rejects.toMatchObject({ code: "storage_unavailable" });
    await expect(refused).rejects.toThrow(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    const beside = await connect(url, { migrate: false });
    expect(await beside.runs.journal({ scope, runId: "run-1" })).toHaveLength(1);
  });

  it("on a standby is refused at a start, but can be read by a command without sessions", async () => {
    const primary = await startPostgres();
    closing.push(() => primary.close());
    const url = new URL(await primary.createDatabase());
    await (await connect(url.href)).runs.commit(firstRow("run-1"));
    const standby = await primary.standby();
    closing.push(() => standby.close());
    url.port = String(standby.port);
    for (const notify of [true, false]) {
      const refused = PostgresStorage.connect(url.href, { notify });
      await expect(refused).rejects.toMatchObject({ code: "storage_unavailable" });
      await expect(refused).rejects.toThrow(
        "is a standby and accepts no writes. Set the address to that of the primary.",
      );
    }
    const beside = await connect(url.href, { migrate: false, notify: false });
    expect(await beside.runs.journal({ scope, runId: "run-1" })).toHaveLength(1);
  });

  it("whose server does not write to disk is reported once", async () => {
    const careless = await startPostgres({ settings: { fsync: "off" } });
    closing.push(() => careless.close());
    const warnings: string[] = [];
    await connect(await careless.createDatabase(), { warn: (message) => warnings.push(message) });
    expect(warnings).toEqual([expect.stringMatching(/fsync = off.*Set fsync = on/)]);
  });

  it("whose tables are temporarily inaccessible keeps runs waiting, and refuses none of them", async () => {
    const { url, name } = await create();
    const storage = await connect(url);
    await storage.runs.commit(firstRow("run-1"));
    const owner = new pg.Client(url);
    await owner.connect();
    closing.push(() => owner.end());
    await owner.query(`REVOKE INSERT ON procedo.journal FROM ${name}`);
    await expect(storage.runs.commit(row("run-1", 2))).rejects.toMatchObject({ code: "storage_unavailable" });
    await owner.query(`GRANT INSERT ON procedo.journal TO ${name}`);
    expect(await commitAll(storage.runs, [row("run-1", 2)])).toEqual(committed);
  });
});
