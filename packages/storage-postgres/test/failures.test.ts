import { randomUUID } from "node:crypto";
import { startPostgres } from "@procedo-testing/postgres";
import type { PostgresServer } from "@procedo-testing/postgres";
import type { DeliverySettlement } from "@procedo/storage";
import { webhookEventKey } from "@procedo/storage";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createClientSupply } from "../src/client-supply.ts";
import { createConnections } from "../src/connections.ts";
import { PostgresStorage } from "../src/index.ts";
import { openNotifications } from "../src/listen-notify.ts";
import type { SqlValue } from "../src/statement.ts";
import type { CuttingProxy } from "./cutting-proxy.ts";
import { openCuttingProxy } from "./cutting-proxy.ts";
import { commitAll, codeOf, firstRow, post, row, scope } from "./run-rows.ts";

const committed = [{ status: "committed" }];
const workers = { workspace: "acme", workerId: "worker-2", limit: 9 };

describe("failures of the database", () => {
  let server: PostgresServer;
  let url: string;
  const closing: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    server = await startPostgres({ settings: { deadlock_timeout: "2s" } });
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  afterAll(() => server.close());

  async function open(options: Parameters<typeof PostgresStorage.connect>[1] = {}): Promise<PostgresStorage> {
    url = await server.createDatabase();
    const storage = await PostgresStorage.connect(url, options);
    closing.push(() => storage.close());
    return storage;
  }

  async function administrator(): Promise<pg.Client> {
    const client = new pg.Client(url);
    client.on("error", () => undefined);
    await client.connect();
    closing.push(() => client.end());
    return client;
  }

  async function openBehindProxy(options: Parameters<typeof PostgresStorage.connect>[1] = {}): Promise<{
    readonly storage: PostgresStorage;
    readonly proxy: CuttingProxy;
  }> {
    url = await server.createDatabase();
    const proxy = await openCuttingProxy(url);
    closing.push(() => proxy.close());
    const storage = await PostgresStorage.connect(proxy.url, options);
    closing.push(() => storage.close());
    return { storage, proxy };
  }

  it("a server that stops responding is unavailable within the time limit, and used again when it responds", async () => {
    const storage = await open({ timeoutMs: 300 });
    await storage.runs.commit(firstRow("run-1"));
    server.pause();
    try {
      const calls = [
        commitAll(storage.runs, [row("run-1", 2)]),
        storage.runs.claim(workers),
        storage.inbox.post([post("run-1")]),
        storage.runs.get({ scope, runId: "run-1" }),
      ];
      expect(await Promise.all(calls.map(codeOf))).toEqual(calls.map(() => "storage_unavailable"));
    } finally {
      server.resume();
    }
    await vi.waitFor(async () => expect(await commitAll(storage.runs, [row("run-1", 2)])).toEqual(committed), 10_000);
  });

  it("a server that stops responding does not block a close", async () => {
    const storage = await open({ timeoutMs: 300 });
    await storage.runs.commit(firstRow("run-1"));
    // One notification is being sent, another waits.
    for (const effectKey of ["a", "b"]) await storage.inbox.post([post("run-1", effectKey)]);
    server.pause();
    try {
      const sinceMs = performance.now();
      expect(await storage.close()).toBeUndefined();
      expect(performance.now() - sinceMs).toBeLessThan(600);
    } finally {
      server.resume();
      closing.pop();
    }
  });

  it("a server that stops responding gets no last notifications, and the attempt ends at the time limit", async () => {
    await open();
    const nothing = () => undefined;
    const options = {
      schema: "procedo",
      onChange: nothing,
      onReadOnly: nothing,
      onNoConnection: nothing,
      check: async () => {},
    };
    const connection = { connectionString: url };
    const notifications = await openNotifications({ ...options, connection, pollMs: 60_000, timeoutMs: 300 });
    server.pause();
    try {
      notifications.send([{ type: "deliverable" }]);
      await Promise.resolve();
      notifications.send([{ type: "claimable" }]);
      expect(await notifications.close()).toBeUndefined();
    } finally {
      server.resume();
    }
  });

  it("a server that was stopped and started is used again without intervention", async () => {
    const storage = await open();
    const received: string[] = [];
    storage.watch(({ type }) => received.push(type));
    await storage.runs.commit(firstRow("run-1"));
    await server.stop("immediate");
    expect(await codeOf(commitAll(storage.runs, [row("run-1", 2)]))).toBe("storage_unavailable");
    expect(await codeOf(PostgresStorage.connect(url))).toBe("storage_unavailable");
    await server.start();
    await vi.waitFor(async () => expect(await commitAll(storage.runs, [row("run-1", 2)])).toEqual(committed), 10_000);
    // Notifications of other nodes were lost in the meantime, so anything may have changed.
    await vi.waitFor(() => expect(received).toContain("resync"), 10_000);
  });

  it("connections that the server ends, idle and busy ones, end neither the process nor the storage", async () => {
    const storage = await open({ poolSize: 3 });
    const admin = await administrator();
    await storage.runs.commit(firstRow("run-1"));
    for (let turn = 2; turn < 12; turn++) {
      const calls = [commitAll(storage.runs, [row("run-1", turn)]), storage.runs.claim({ ...workers, limit: 0 })].map(
        settled,
      );
      await admin.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
      );
      for (const call of calls) expect([committed, "storage_unavailable"]).toContainEqual(await call);
      await vi.waitFor(async () => expect(await commitAll(storage.runs, [row("run-1", turn)])).toEqual(committed));
    }
    expect(await storage.runs.journal({ scope, runId: "run-1" })).toHaveLength(11);
  });

  it("a commit whose answer was lost is unknown, and settled by a repetition", async () => {
    const { storage, proxy } = await openBehindProxy({ notify: false });
    const first = firstRow("run-1");
    proxy.cutAnswerTo("run-1");
    expect(await codeOf(commitAll(storage.runs, [first]))).toBe("storage_unavailable");
    await vi.waitFor(async () => expect(await storage.runs.journal({ scope, runId: "run-1" })).toHaveLength(1));
    expect(await commitAll(storage.runs, [first])).toEqual(committed);
    expect(await storage.runs.commit({ ...first, hash: "another" })).toEqual({ status: "fenced" });
    expect(await storage.runs.journal({ scope, runId: "run-1" })).toHaveLength(1);
  });

  it("a transaction whose COMMIT got no answer is unknown, and one whose COMMIT never arrived was not executed", async () => {
    const { storage, proxy } = await openBehindProxy({ notify: false });
    await storage.runs.commit(firstRow("run-1"));
    proxy.cutAnswerTo("COMMIT\0");
    expect(await codeOf(storage.inbox.post([post("run-1", "a")]))).toBe("storage_unavailable");
    expect(await storage.inbox.post([post("run-1", "a")])).toMatchObject([{ status: "superseded" }]);
    proxy.cutBefore("COMMIT\0");
    expect(await codeOf(storage.inbox.post([post("run-1", "b")]))).toBe("storage_unavailable");
    expect(await storage.inbox.post([post("run-1", "b")])).toMatchObject([{ status: "accepted" }]);
  });

  it("serialization failures are retried and never surface", async () => {
    const storage = await open();
    const admin = await administrator();
    await admin.query(`
      CREATE SEQUENCE failures;
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('failures') % 3 <> 0 THEN RAISE EXCEPTION 'injected' USING ERRCODE = '40001'; END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER fail AFTER INSERT ON procedo.journal FOR EACH STATEMENT EXECUTE FUNCTION fail();
      CREATE CONSTRAINT TRIGGER fail_late AFTER INSERT ON procedo.inbox DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION fail();`);
    for (let seq = 1; seq <= 5; seq++) {
      expect(await commitAll(storage.runs, [seq === 1 ? firstRow("run-1") : row("run-1", seq)])).toEqual(committed);
      expect(await storage.inbox.post([post("run-1", `news-${seq}`)])).toMatchObject([{ status: "accepted" }]);
    }
    expect(await storage.runs.journal({ scope, runId: "run-1" })).toHaveLength(5);
    expect(await storage.inbox.read({ scope, runId: "run-1" })).toHaveLength(5);
  });

  it("a statement that is interrupted while it is sent does not affect later ones", async () => {
    const pool = new pg.Pool({ connectionString: await server.createDatabase(), max: 1 });
    closing.push(() => pool.end());
    const supply = createClientSupply({ pool, timeoutMs: 5_000, onLimit: () => undefined });
    const connections = createConnections({ supply, sessions: true, timeoutMs: 5_000 });
    const statement = { name: "broken-off", text: "SELECT $1::text AS said" };
    const asked = (values: readonly SqlValue[]) =>
      connections.use(performance.now() + 5_000, (connection) => connection.query(statement, values));
    const toPostgres = (): never => {
      throw new RangeError("cannot be written");
    };
    const unwritable = { toPostgres } as unknown as SqlValue;
    await expect(asked([unwritable])).rejects.toThrow("cannot be written");
    expect(await asked(["said"])).toEqual([{ said: "said" }]);
  });

  it("a deadlock with another client is retried and never surfaces", async () => {
    const storage = await open({ timeoutMs: 20_000 });
    const admin = await administrator();
    const other = await administrator();
    await commitAll(storage.runs, [firstRow("a"), firstRow("b")]);
    // The session that detects the deadlock first is its victim.
    await other.query("SET deadlock_timeout = '1min'; BEGIN; SELECT FROM procedo.runs WHERE run_id = 'b' FOR UPDATE");
    const posted = storage.inbox.post([post("b"), post("a")]);
    await vi.waitFor(async () => {
      const { rowCount } = await admin.query("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
      expect(rowCount).toBe(1);
    });
    await other.query("SELECT FROM procedo.runs WHERE run_id = 'a' FOR UPDATE");
    await other.query("COMMIT");
    expect(await posted).toMatchObject([{ status: "accepted" }, { status: "accepted" }]);
  });

  it("connections to a primary that became read-only are discarded, and new ones used", async () => {
    await open();
    let readOnly = true;
    const pool = new pg.Pool({ connectionString: url, max: 4 });
    closing.push(() => pool.end());
    pool.on("connect", (client) => {
      if (readOnly) void client.query("SET default_transaction_read_only = on");
    });
    // A server does not start on such a database, but the database can become read-only while the server runs.
    const storage = await PostgresStorage.open({ pool, notify: false, migrate: false });
    closing.push(() => storage.close());
    await Promise.all(Array.from({ length: 4 }, () => storage.runs.get({ scope, runId: "run-1" })));
    expect(await codeOf(commitAll(storage.runs, [firstRow("run-1")]))).toBe("storage_unavailable");
    readOnly = false;
    expect(await commitAll(storage.runs, [firstRow("run-1")])).toEqual(committed);
    expect(await commitAll(storage.runs, [row("run-1", 2)])).toEqual(committed);
  });

  it("a primary that becomes read-only is also left by readers and by listeners", async () => {
    const storage = await open({ pollMs: 20, poolSize: 1 });
    const admin = await administrator();
    let hears = false;
    storage.watch(({ type }) => (hears ||= type === "notified"));
    const sessions = async (): Promise<readonly number[]> => {
      await storage.runs.get({ scope, runId: "run-1" });
      const others = "datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()";
      const { rows } = await admin.query<{ pid: number }>(`SELECT pid FROM pg_stat_activity WHERE ${others}`);
      return rows.map(({ pid }) => pid);
    };
    const before = await sessions();
    expect(before).toHaveLength(2);
    try {
      await admin.query("ALTER SYSTEM SET default_transaction_read_only = on");
      await admin.query("SELECT pg_reload_conf()");
      await vi.waitFor(
        async () => expect((await sessions()).filter((pid) => before.includes(pid))).toEqual([]),
        10_000,
      );
    } finally {
      await admin.query("SET default_transaction_read_only = off");
      await admin.query("ALTER SYSTEM RESET default_transaction_read_only");
      await admin.query("SELECT pg_reload_conf()");
    }
    await vi.waitFor(async () => expect(await commitAll(storage.runs, [firstRow("run-1")])).toEqual(committed), 10_000);
    const other = await PostgresStorage.connect(url);
    closing.push(() => other.close());
    await vi.waitFor(async () => {
      await other.inbox.post([post("run-1", randomUUID())]);
      expect(hears).toBe(true);
    }, 10_000);
  });

  it("nodes that settle opposite results for the same webhooks never deadlock", async () => {
    // A deadlock would be detected only after the time limit.
    const nodes = [await open({ timeoutMs: 1_000 }), await PostgresStorage.connect(url, { timeoutMs: 1_000 })] as const;
    closing.push(() => nodes[1].close());
    const [first] = nodes;
    for (const id of ["a", "b"]) {
      const record = {
        ...scope,
        kind: "webhook",
        id,
        body: "{}",
        uniqueKeys: [],
        keys: [webhookEventKey(scope, "told")],
      };
      await first.records.put({ record, ifRevision: 0 });
    }
    const events = Array.from({ length: 40 }, (_, number) => {
      return { eventId: `event-${number}`, event: "told", createdAtMs: 1, data: "{}" };
    });
    expect(await commitAll(first.runs, [firstRow("run-1", { events })])).toEqual(committed);
    const limits = { total: 100, perWebhook: 100 };
    const request = { workspace: scope.workspace, limits: { sandbox: limits, live: limits }, leaseMs: 60_000 };
    const { deliveries } = await first.deliveries.claim(request);
    const attempt = {
      url: "https://receiver.test",
      atMs: 1,
      tookMs: 1,
      responseCode: 200,
      failure: undefined,
      manual: false,
    };
    for (let turn = 0; turn < 20; turn++) {
      const settling = nodes.map((node, number) =>
        node.deliveries.settle(
          ["a", "b"].flatMap((id, place): readonly DeliverySettlement[] => {
            const delivery = deliveries.filter(({ webhookId }) => webhookId === id)[turn * 2 + number];
            if (delivery === undefined) return [];
            const item = { scope, deliveryId: delivery.deliveryId, epoch: delivery.epoch, attempt };
            if (number === place) return [{ ...item, next: { status: "delivered" } }];
            return [{ ...item, error: "The receiver answered 503.", next: { status: "failed" } }];
          }),
        ),
      );
      for (const results of await Promise.all(settling)) {
        expect(results.map(({ status }) => status)).toEqual(["settled", "settled"]);
      }
    }
  });

  it("a programming error is not reported as a database failure", async () => {
    const now = (): number => {
      throw new Error("a mistake");
    };
    const storage = await open({ notify: false, now });
    expect(await codeOf(storage.inbox.post([post("run-1")]))).toBe("internal");
  });

  it("a pool of one connection is enough, and an exhausted pool is unavailable within the time limit", async () => {
    await open();
    const pool = new pg.Pool({ connectionString: url, max: 1 });
    closing.push(() => pool.end());
    const storage = await PostgresStorage.open({ pool, timeoutMs: 300 });
    closing.push(() => storage.close());
    const commits = Array.from({ length: 20 }, (_, number) => commitAll(storage.runs, [firstRow(`run-${number}`)]));
    expect(await Promise.all(commits)).toEqual(commits.map(() => committed));
    const held = await pool.connect();
    expect(await codeOf(storage.runs.claim(workers))).toBe("storage_unavailable");
    held.release();
    expect((await storage.runs.claim(workers)).runs).toHaveLength(9);
  });

  it("a pool with a password apart from its address uses that password to listen", async () => {
    await open();
    const { hostname: host, port, username: user, password, pathname } = new URL(url);
    const pool = new pg.Pool({ host, port: Number(port), user, password, database: pathname.slice(1), max: 1 });
    closing.push(() => pool.end());
    const storage = await PostgresStorage.open({ pool });
    closing.push(() => storage.close());
    expect(await commitAll(storage.runs, [firstRow("run-1")])).toEqual(committed);
  });

  it("a wrong database or password is reported at once", async () => {
    await open();
    const wrong = new URL(url);
    wrong.pathname = "/nobody";
    expect(await codeOf(PostgresStorage.connect(wrong.href))).toBe("storage_unavailable");
    expect(await codeOf(PostgresStorage.connect(url, { schema: "" }))).toBe("invalid_configuration");
  });
});

/** The resolved value of a promise, or the code of its rejection; a claim's answer counts as a commit's. */
async function settled(promise: Promise<unknown>): Promise<unknown> {
  const result = await codeOf(promise);
  return typeof result === "object" && result !== null && "runs" in result ? committed : result;
}
