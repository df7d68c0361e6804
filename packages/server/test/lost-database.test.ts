import { existsSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { call, makePlace, procedo, procedoJson, startProcess, startRefused, type Place } from "./server-process.ts";

let place: Place;
const dataFile = (name: string) => join(place.env["PROCEDO_DATA_DIR"] ?? "", name);

beforeEach(() => {
  place = makePlace({ PROCEDO_LOG_LEVEL: "info" });
});

afterEach(() => place.remove());

async function startAndStop(): Promise<void> {
  const server = await startProcess(place);
  server.kill("SIGTERM");
  expect(await server.ended).toBe(0);
}

const removeDatabase = (): void => {
  for (const end of ["", "-wal", "-shm"]) rmSync(dataFile(`procedo.sqlite${end}`), { force: true });
};

test("a server whose database is removed is not ready, acknowledges nothing, and logs the remedy once", async () => {
  const server = await startProcess(place);
  const create = ["keys", "create", "--name", "app", "--environment", "sandbox"];
  const { key } = await procedoJson<{ readonly key: string }>(place, ...create);
  const ready = () =>
    fetch(`${server.url}/readyz`).then(async (answer) => ({ status: answer.status, text: await answer.text() }));
  expect(await ready()).toMatchObject({ status: 200 });

  renameSync(dataFile("procedo.sqlite"), dataFile("elsewhere.sqlite"));
  await expect.poll(async () => (await ready()).status).toBe(503);
  expect((await ready()).text).toContain("was removed");
  // Only the operator may learn its location.
  expect((await ready()).text).not.toContain(place.folder);
  const refused = await call(`${server.url}/v1/procedures/payment/runs`, key, { data: {} });
  expect(refused).toMatchObject({ status: 503, body: { code: "storage_unavailable" } });

  renameSync(dataFile("elsewhere.sqlite"), dataFile("procedo.sqlite"));
  await expect.poll(async () => (await ready()).status).toBe(200);
  server.kill("SIGTERM");
  expect(await server.ended).toBe(0);
  const reported = server
    .output()
    .split("\n")
    .filter((line) => line.includes("procedo restore"));
  expect(reported).toEqual([expect.stringMatching(/"error".*procedo\.sqlite.* was removed .*procedo restore/)]);
});

test.each([
  ["missing", removeDatabase],
  ["empty", () => truncateSync(dataFile("procedo.sqlite"))],
])("neither a server nor a command creates a new database in a folder whose database is %s", async (state, lose) => {
  await startAndStop();
  lose();
  const { code, output } = await startRefused(place);
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining(`is ${state}`) as string });
  expect(output).toContain("procedo restore");
  const listed = await procedo(place, "keys", "list");
  expect(listed).toMatchObject({ code: 1, err: expect.stringContaining(`is ${state}`) as string });
  expect(existsSync(dataFile("procedo.sqlite")) && statSync(dataFile("procedo.sqlite")).size > 0).toBe(false);

  // The operator confirmed the loss; only now is a database created.
  rmSync(dataFile("has-database"));
  await startAndStop();
  expect(statSync(dataFile("procedo.sqlite")).size).toBeGreaterThan(0);
});

test("a server with an empty data folder logs that it starts empty, until it has data", async () => {
  const begun = async (): Promise<boolean> => {
    const server = await startProcess(place);
    server.kill("SIGTERM");
    expect(await server.ended).toBe(0);
    return server.output().includes("the service starts empty");
  };
  expect(await begun()).toBe(true);
  await procedo(place, "keys", "create", "--name", "first", "--environment", "sandbox");
  expect(await begun()).toBe(false);
  // Like a volume that is not mounted.
  rmSync(dataFile(""), { recursive: true });
  expect(await begun()).toBe(true);
});

test("a folder with a write-ahead log but no database is not treated as new", async () => {
  await startAndStop();
  removeDatabase();
  rmSync(dataFile("has-database"));
  writeFileSync(dataFile("procedo.sqlite-wal"), "the last commits");
  const { code, output } = await startRefused(place);
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining("procedo.sqlite-wal") as string });
});

test("a backup is restored into a folder whose database is lost", async () => {
  await startAndStop();
  await procedo(place, "keys", "create", "--name", "kept", "--environment", "live");
  expect(await procedo(place, "backup", join(place.folder, "copy.sqlite"))).toMatchObject({ code: 0 });
  removeDatabase();
  expect(await procedo(place, "restore", join(place.folder, "copy.sqlite"))).toMatchObject({ code: 0 });
  await startAndStop();
  expect((await procedo(place, "keys", "list")).out).toContain("kept");
});
