import { openTestDatabase } from "@procedo-testing/postgres";
import type { CreatedApiKey } from "@procedo/contract";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { approval, payment } from "./bank.ts";
import {
  call,
  fileWith,
  makePlace,
  procedo,
  procedoJson,
  startProcess,
  withEngine,
  type Place,
} from "./server-process.ts";
import { openPlace, startNode, storages } from "./shared-place.ts";

const scrape = "0123456789abcdef";

describe.each(storages)("several processes on one %s", (_name, open) => {
  let place: Place;

  beforeEach(async () => {
    place = await openPlace(open, { PROCEDO_METRICS_TOKEN: scrape });
  });

  const start = (role: "all" | "http" | "execute") => startNode(place, { PROCEDO_ROLE: role });

  const makeKey = async (...flags: readonly string[]) =>
    await procedoJson<CreatedApiKey>(place, "keys", "create", "--name", "n", "--environment", "sandbox", ...flags);

  const sync = { data: { sum: 3 }, control: { executionMode: "sync" } };

  test("one process serves, another executes, and the command works beside both", async () => {
    const door = await start("http");
    const executor = await start("execute");
    for (const [name, document] of Object.entries({ payment, approval })) {
      const publish = ["procedures", "publish", fileWith(place, name, document), "--version", "1"];
      await procedoJson(place, ...publish);
    }
    const { key, id } = await makeKey();
    const paid = await call(`${door.url}/v1/procedures/payment/sandbox`, key, sync);
    expect(paid).toMatchObject({ status: 200, body: { status: "completed", output: { receipt: "Paid 3 cents." } } });

    const asked = await call(`${door.url}/v1/procedures/approval/sandbox`, key, sync);
    expect(asked).toMatchObject({ status: 200, body: { status: "awaiting_review" } });
    const { runId } = asked.body as { readonly runId: string };
    const reviewer = await makeKey("--permissions", "review", "--person", "rita");
    const decision = { approved: true, idempotencyKey: crypto.randomUUID() };
    const decided = await call(`${door.url}/api/runner-proxy/review/${runId}`, reviewer.key, decision);
    expect(decided).toEqual({ status: 200, body: { success: true } });
    const run = async () => (await call(`${door.url}/runs/${runId}`, key)).body;
    await expect.poll(run).toMatchObject({ status: "completed" });

    const statuses = await Promise.all(
      ["/healthz", "/readyz", "/metrics", `/runs/${runId}`].map(async (path) => {
        const headers = { authorization: `Bearer ${path === "/metrics" ? scrape : key}` };
        return (await fetch(`${executor.url}${path}`, { headers })).status;
      }),
    );
    expect(statuses).toEqual([200, 200, 200, 404]);
    expect(await procedo(place, "audit", "verify")).toMatchObject({ code: 0 });

    await procedoJson(place, "keys", "delete", id);
    const answer = async () => (await call(`${door.url}/runs/${runId}`, key)).status;
    await expect.poll(answer).toBe(401);

    for (const server of [executor, door]) {
      server.kill("SIGTERM");
      expect(await server.ended).toBe(0);
    }
  });

  test("runs started during a rolling restart all complete without a takeover", async () => {
    const door = await start("http");
    await procedoJson(place, "procedures", "publish", fileWith(place, "p", payment), "--version", "1");
    const { key } = await makeKey();
    const runIds: string[] = [];
    const startRuns = async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => call(`${door.url}/v1/procedures/payment/sandbox`, key, { data: { sum: 1 } })),
      );
      for (const { status, body } of answers) {
        expect(status).toBe(202);
        runIds.push((body as { readonly runId: string }).runId);
      }
    };
    let executor = await start("execute");
    for (let round = 0; round < 2; round++) {
      await startRuns();
      executor.kill("SIGTERM");
      const next = await start("execute");
      await startRuns();
      expect(await executor.ended).toBe(0);
      executor = next;
    }
    const open = async () => {
      const runs = await Promise.all(runIds.map((runId) => call(`${door.url}/runs/${runId}`, key)));
      return runs.filter(({ body }) => (body as { readonly status: string }).status !== "completed").length;
    };
    await expect.poll(open).toBe(0);
    // A released run has no owner. The journal of a run that had to be taken over says so.
    await withEngine(place, async (engine) => {
      for (const runId of runIds) {
        const rows = await engine.runs.journal({ environment: "sandbox", runId });
        expect(rows.flatMap(({ entries }) => entries.map(({ type }) => type))).not.toContain("recovered");
      }
    });
  });
});

describe("on Postgres", () => {
  let place: Place;
  let url: string;
  let close: () => Promise<void>;

  beforeEach(async () => {
    ({ url, close } = await openTestDatabase());
    place = makePlace({ DATABASE_URL: url });
  });

  afterEach(async () => {
    place.remove();
    await close();
  });

  test("the first node creates a master key; a node without it is rejected and creates none", async () => {
    const first = await startProcess(place);
    await procedoJson(place, "keys", "create", "--name", "n", "--environment", "sandbox");
    first.kill("SIGTERM");
    expect(await first.ended).toBe(0);
    const second = makePlace({ DATABASE_URL: url });
    onTestFinished(() => second.remove());
    for (const argv of [["start"], ["keys", "list"]]) {
      const { code, err } = await procedo(second, ...argv);
      expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("PROCEDO_MASTER_KEY") });
      expect(err).not.toContain(new URL(url).password === "" ? "://" : new URL(url).password);
    }
  });

  test("the commands for a single file name the Postgres alternative", async () => {
    for (const [argv, tool] of [
      [["backup", "copy"], "pg_dump"],
      [["restore", "copy"], "pg_restore"],
    ] as const) {
      const { code, err } = await procedo(place, ...argv);
      expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(tool) });
    }
  });

  test("the service works the same without notifications", async () => {
    const server = await startProcess({ ...place, env: { ...place.env, PROCEDO_DATABASE_NOTIFY: "off" } });
    await procedoJson(place, "procedures", "publish", fileWith(place, "p", payment), "--version", "1");
    const made = await procedoJson<CreatedApiKey>(place, "keys", "create", "--name", "n", "--environment", "sandbox");
    const body = { data: { sum: 3 }, control: { executionMode: "sync" } };
    const paid = await call(`${server.url}/v1/procedures/payment/sandbox`, made.key, body);
    expect(paid).toMatchObject({ status: 200, body: { status: "completed" } });
    server.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  });
});
