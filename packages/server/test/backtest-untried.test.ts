import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { payment } from "./bank.ts";
import {
  fileWith,
  makePlace,
  procedo,
  procedoJson,
  startProcess,
  type Place,
  type ServerProcess,
} from "./server-process.ts";

/* A backtest without runs is no reason to publish: the exit code stops CI, and the message gives the remedy. */

let place: Place;
let server: ServerProcess;

beforeAll(async () => {
  place = makePlace();
  server = await startProcess(place);
  for (const procedureId of ["payment", "unused"]) {
    const file = fileWith(place, `${procedureId}.json`, { ...payment, procedureId });
    await procedoJson(place, "procedures", "publish", file, "--version", "1", "--default", "sandbox");
  }
  await pay();
  await pay();
});

afterAll(async () => {
  server.kill("SIGTERM");
  await server.ended;
  place.remove();
});

async function pay(): Promise<string> {
  const { code, out } = await procedo(place, "run", "payment", "--data", '{"sum":1}', "--wait");
  expect(code).toBe(0);
  return /run_\w+/.exec(out)?.[0] ?? "";
}

const backtest = (...argv: readonly string[]) => procedo(place, "backtest", ...argv, "--version", "1");

test("a filter without runs exits with 1 and a remedy; with --allow-none it exits with 0", async () => {
  expect(await backtest("payment")).toMatchObject({ code: 0, out: expect.stringContaining("2 the same") });
  for (const [procedureId, environment, ...argv] of [
    ["payment", "sandbox", "--runs", "status=failed"],
    ["payment", "sandbox", "--runs", "version=2"],
    ["payment", "live"],
    ["unused", "sandbox"],
  ] as const) {
    const given = [procedureId, "--environment", environment, ...argv];
    const { code, out } = await backtest(...given);
    expect({ given, code, out }).toEqual({
      ...{ given, code: 1 },
      out:
        `No runs of "${procedureId}" match.\nNOT passed: no run was replayed. Choose others with --runs or --environment ` +
        `(here: ${environment}), or check that "${procedureId}" is the procedure's id, or accept this with --allow-none.\n`,
    });
    expect(await backtest(...given, "--allow-none")).toMatchObject({
      code: 0,
      out: expect.not.stringContaining("NOT"),
    });
  }
  // Options that accept changes do not accept an empty backtest.
  expect((await backtest("unused", "--allow-changes", "--allow-unread")).code).toBe(1);
});

test("the JSON output reports the same", async () => {
  const { code, out } = await backtest("unused", "--json");
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ runs: 0, untried: [expect.stringContaining("no run was replayed")] });
  expect(JSON.parse((await backtest("payment", "--json")).out)).toMatchObject({ runs: 2, untried: [] });
});

test("an unreadable journal exits with 1 even beside unchanged runs; with --allow-unread it exits with 0", async () => {
  const runId = await pay();
  const database = new DatabaseSync(join(place.env["PROCEDO_DATA_DIR"] ?? "", "procedo.sqlite"), { timeout: 10_000 });
  const { changes } = database
    .prepare("UPDATE journal SET body = '[' WHERE run = (SELECT run FROM runs WHERE run_id = ?)")
    .run(runId);
  database.close();
  expect(changes).toBeGreaterThan(0);

  const { code, out } = await backtest("payment");
  expect(code).toBe(1);
  expect(out).toContain("2 the same, 0 changed");
  expect(out).toContain("NOT passed: the journals of 1 run cannot be read. Find the cause");
  expect(await backtest("payment", "--allow-none")).toMatchObject({ code: 1 });
  expect(await backtest("payment", "--allow-unread")).toMatchObject({ code: 0 });
  const alone = await backtest("payment", "--runs", "limit=1", "--allow-unread");
  expect(alone).toMatchObject({ code: 1, out: expect.stringContaining("NOT passed: no run was replayed.") });
  expect(alone.out).toContain('None of the chosen runs of "payment" could be replayed.');
});

test("archived runs alone exit with 1, and one run outside the archive is enough", async () => {
  const runs = ["--runs", "status=completed,limit=2"];
  await pay();
  await pay();
  const archived = await procedo(place, "archive", "--older-than", "PT0.001S", "--to", join(place.folder, "archive"));
  expect(archived.out).toMatch(/^\d+ runs moved into/);
  const { code, out } = await backtest("payment", ...runs);
  expect(code).toBe(1);
  expect(out).toContain(
    'None of the chosen runs of "payment" could be replayed.\n2 runs skipped because they are archived.\n',
  );
  expect(out).toContain("NOT passed: no run was replayed. Choose others with --runs, or accept this with --allow-none");
  expect((await backtest("payment", ...runs, "--allow-none")).code).toBe(0);
  await pay();
  expect(await backtest("payment", ...runs)).toMatchObject({ code: 0, out: expect.stringContaining("1 the same") });
});
