import { startPooler, startPostgres, type PostgresServer } from "@procedo-testing/postgres";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { PostgresStorage } from "../src/index.ts";
import { commitAll, firstRow, post, row, scope } from "./run-rows.ts";

const committed = [{ status: "committed" }];

describe("a database with fewer connections than the pool wants", () => {
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

  /** The URL of a role with this many connections. */
  async function limitedTo(connections: number): Promise<{ readonly role: string; readonly url: string }> {
    const role = `limited_${++names}`;
    await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret' CONNECTION LIMIT ${connections}`);
    await admin.query(`CREATE DATABASE ${role} OWNER ${role}`);
    const url = new URL(server.url);
    Object.assign(url, { pathname: `/${role}`, username: role, password: "secret" });
    return { role, url: url.href };
  }

  async function connect(
    url: string,
    options: Parameters<typeof PostgresStorage.connect>[1] = {},
  ): Promise<PostgresStorage> {
    const storage = await PostgresStorage.connect(url, options);
    closing.push(() => storage.close());
    return storage;
  }

  /** Many concurrent calls, each with a separate connection. */
  function manyCalls(storage: PostgresStorage, from: number): readonly Promise<unknown>[] {
    return Array.from({ length: 40 }, async (_, number) => {
      const runId = `run-${from + number}`;
      await storage.runs.commit(firstRow(runId));
      await storage.inbox.post([post(runId)]);
      return (await storage.runs.journal({ scope, runId })).length;
    });
  }

  it.each([
    [1, true],
    [2, true],
    [4, true],
    [3, false],
  ])("lets requests wait, and fails none: %i connections, sessions: %s", async (given, notify) => {
    const { url } = await limitedTo(given);
    const warnings: string[] = [];
    const timeoutMs = 60_000;
    const storage = await connect(url, { notify, timeoutMs, warn: (message) => warnings.push(message) });
    for (const from of [0, 100]) {
      expect(new Set(await Promise.all(manyCalls(storage, from)))).toEqual(new Set([1]));
    }
    const forCalls = notify ? Math.max(1, given - 1) : given;
    expect(warnings).toEqual([
      expect.stringMatching(
        new RegExp(
          `allows ${forCalls} of the 10 connections .* requests wait.*CONNECTION LIMIT.*reduce the size of the pool`,
        ),
      ),
    ]);
  });

  it.each([3, 5])("lets requests wait behind a pooler in session mode with %i server connections", async (size) => {
    const pooler = await startPooler(await server.createDatabase(), { mode: "session", size });
    closing.push(() => pooler.close());
    const warnings: string[] = [];
    const storage = await connect(pooler.url, { timeoutMs: 30_000, warn: (message) => warnings.push(message) });
    for (const from of [0, 100]) {
      expect(new Set(await Promise.all(manyCalls(storage, from)))).toEqual(new Set([1]));
    }
    expect(warnings).toEqual([
      expect.stringMatching(new RegExp(`allows ${size - 1} of the 10 connections .* size of the pooler`)),
    ]);
  });

  it("is used without a listening connection behind a pooler with one server connection", async () => {
    const pooler = await startPooler(await server.createDatabase(), { mode: "session", size: 1 });
    closing.push(() => pooler.close());
    const storage = await connect(pooler.url, { timeoutMs: 3_000 });
    expect(await commitAll(storage.runs, [firstRow("run-1")])).toEqual(committed);
  });

  it("lets a request wait no longer than its time limit, and then fails it with the reason", async () => {
    const { role, url } = await limitedTo(2);
    const storage = await connect(url, { notify: false, timeoutMs: 400 });
    await admin.query(`ALTER ROLE ${role} CONNECTION LIMIT 0`);
    await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1", [role]);
    // Some of the first calls use the terminated connections.
    for (const said of [/./, /allows no more connections.*CONNECTION LIMIT/]) {
      const refused = Array.from({ length: 5 }, (_, number) => commitAll(storage.runs, [firstRow(`run-${number}`)]));
      for (const { status, reason } of (await Promise.allSettled(refused)) as PromiseRejectedResult[]) {
        expect(status).toBe("rejected");
        expect(reason).toMatchObject({ code: "storage_unavailable", message: expect.stringMatching(said) as string });
      }
    }
    await expect(storage.runs.list({ scope, limit: 1 })).rejects.toThrow(
      /allows no more connections.*CONNECTION LIMIT/,
    );
    await expect(PostgresStorage.connect(url, { timeoutMs: 400 })).rejects.toThrow(/CONNECTION LIMIT/);
    await admin.query(`ALTER ROLE ${role} CONNECTION LIMIT 2`);
    expect(await commitAll(storage.runs, [firstRow("run-9")])).toEqual(committed);
  });

  it("leaves one of them to the listening connection, even after the calls had all of them", async () => {
    const { role, url } = await limitedTo(3);
    const storage = await connect(url, { timeoutMs: 30_000, pollMs: 20 });
    await Promise.all(manyCalls(storage, 0));
    // The listening connection is terminated, and another client of the same role takes its place.
    await vi.waitFor(async () => {
      await admin.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1 AND query LIKE '%transaction_read_only%'",
        [role],
      );
      const taker = new pg.Client(url);
      closing.push(() => taker.end());
      await taker.connect();
    }, 20_000);
    const listeners = async (): Promise<number> => {
      // Calls continue meanwhile: one of their connections is closed for the listener when it is returned.
      await Promise.all(manyCalls(storage, 1_000 + names++ * 100));
      const text = "SELECT FROM pg_stat_activity WHERE usename = $1 AND query LIKE '%transaction_read_only%'";
      return (await admin.query(text, [role])).rowCount ?? 0;
    };
    await vi.waitFor(async () => expect(await listeners()).toBe(1), 20_000);
    expect(await commitAll(storage.runs, [row("run-1", 2)])).toEqual(committed);
  });
});
