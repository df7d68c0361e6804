import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makePlace, procedo, startProcess, startRefused, type Place } from "./server-process.ts";

let place: Place;
const dataFile = (name: string) => join(place.env["PROCEDO_DATA_DIR"] ?? "", name);

beforeEach(() => {
  place = makePlace();
});

afterEach(() => place.remove());

async function startAndStop(): Promise<void> {
  const server = await startProcess(place);
  server.kill("SIGTERM");
  expect(await server.ended).toBe(0);
}

const withEnv = (env: Readonly<Record<string, string>>): Place => ({ ...place, env: { ...place.env, ...env } });

test("invalid settings are all reported at once, before anything is created", async () => {
  const { code, output } = await startRefused(
    withEnv({ PORT: "x", HOST: "a b", DATABASE_URL: "mysql://u:hunter2@h/d" }),
  );
  expect(code).toBe(1);
  for (const name of ["PORT", "HOST", "DATABASE_URL"]) expect(output).toContain(name);
  expect(output).not.toContain("hunter2");
  expect(existsSync(dataFile("."))).toBe(false);
});

test("the error names an occupied port", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const { code, output } = await startRefused(withEnv({ PORT: String(port) }));
  other.close();
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining(`port ${port} (EADDRINUSE)`) });
});

test("the error names a data folder that cannot be created", async () => {
  writeFileSync(join(place.folder, "file"), "");
  const { code, output } = await startRefused(withEnv({ PROCEDO_DATA_DIR: join(place.folder, "file", "data") }));
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining("PROCEDO_DATA_DIR") });
});

test("a server does not start on data without its key, and creates no new key", async () => {
  await startAndStop();
  rmSync(dataFile("master.key"));
  const { code, output } = await startRefused(place);
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining("master.key") });
  expect(existsSync(dataFile("master.key"))).toBe(false);
});

test("a server does not start on data that was written with another key", async () => {
  await startAndStop();
  const secret = "ab".repeat(32);
  const { code, output } = await startRefused(withEnv({ PROCEDO_MASTER_KEY: secret }));
  expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(/invalid_configuration.*master key/) });
  expect(output).not.toContain(secret);
});

test.each([
  ["a newer program", 1],
  ["an older program", -1],
])("a command rejects data of %s and leaves it unchanged", async (_whose, difference) => {
  await startAndStop();
  const setVersion = (): number => {
    const database = new DatabaseSync(dataFile("procedo.sqlite"));
    const version = Number(Object.values(database.prepare("PRAGMA user_version").get() ?? {})[0]) + difference;
    database.exec(`PRAGMA user_version = ${version}`);
    database.close();
    return version;
  };
  const version = setVersion();
  const { code, err } = await procedo(place, "keys", "list");
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(`schema version ${version}`) });
  const database = new DatabaseSync(dataFile("procedo.sqlite"));
  expect(Object.values(database.prepare("PRAGMA user_version").get() ?? {})).toEqual([version]);
  database.close();
});

test.each([
  ["keys", "list"],
  ["run", "payment"],
  ["audit", "verify"],
  ["backup", "copy.sqlite"],
])("%s %s creates no data in an empty place", async (...argv) => {
  const { code, err } = await procedo(place, ...argv);
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("Start the server once") });
  expect(existsSync(dataFile("."))).toBe(false);
});

test("only their owner can read the folder and the key", async () => {
  await startAndStop();
  expect(statSync(dataFile(".")).mode & 0o777).toBe(0o700);
  expect(statSync(dataFile("master.key")).mode & 0o777).toBe(0o600);
});

test("a backup in another folder, with the key beside it, is the same workspace", async () => {
  await startAndStop();
  const moved = withEnv({ PROCEDO_DATA_DIR: join(place.folder, "restored") });
  await procedo(place, "keys", "create", "--name", "kept", "--environment", "live");
  mkdirSync(join(place.folder, "restored"));
  const copy = join(place.folder, "restored/procedo.sqlite");
  expect(await procedo(place, "backup", copy)).toMatchObject({ code: 0 });
  copyFileSync(dataFile("master.key"), join(place.folder, "restored/master.key"));
  expect((await procedo(moved, "keys", "list")).out).toContain("kept");
  expect(readFileSync(copy).includes(readFileSync(dataFile("master.key"), "utf8").trim())).toBe(false);
});
