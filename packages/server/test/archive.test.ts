import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openTestDatabase } from "@procedo-testing/postgres";
import type { CreatedApiKey } from "@procedo/contract";
import type { ArchiveReport } from "@procedo/engine";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { payment } from "./bank.ts";
import {
  call,
  fileWith,
  makePlace,
  procedo,
  procedoJson,
  startProcess,
  type Place,
  type ServerProcess,
} from "./server-process.ts";

/** Location of the data: a folder of the place, or a database. */
const stores: readonly (readonly [string, () => Promise<{ env: Record<string, string>; close(): Promise<void> }>])[] = [
  ["SQLite", async () => ({ env: {}, close: async () => {} })],
  [
    "Postgres",
    async () => {
      const { url, close } = await openTestDatabase();
      return { env: { DATABASE_URL: url, PROCEDO_MASTER_KEY: "ab".repeat(32) }, close };
    },
  ],
];

describe.each(stores)("archive, from %s", (_name, open) => {
  let place: Place;
  let server: ServerProcess;
  let close: () => Promise<void>;
  let key: string;
  const runIds: string[] = [];

  beforeAll(async () => {
    const data = await open();
    close = data.close;
    place = makePlace(data.env);
    server = await startProcess(place);
    await procedoJson(place, "procedures", "publish", fileWith(place, "payment.json", payment), "--version", "1");
    const create = ["keys", "create", "--name", "test", "--environment", "sandbox"];
    key = (await procedoJson<CreatedApiKey>(place, ...create)).key;
    for (let run = 0; run < 3; run++) runIds.push(await payOnce());
  });

  afterAll(async () => {
    server.kill("SIGTERM");
    await server.ended;
    place.remove();
    await close();
  });

  async function payOnce(): Promise<string> {
    const request = { data: { sum: 1 }, control: { executionMode: "sync" } };
    const { body } = await call(`${server.url}/v1/procedures/payment/sandbox`, key, request);
    return (body as { readonly runId: string }).runId;
  }

  /** Minimum age of archived runs. Both processes use the same clock. */
  const archive = (to: string) =>
    procedoJson<ArchiveReport & { readonly folder: string }>(place, "archive", "--older-than", "PT0.001S", "--to", to);

  test("moves runs into a folder beside a running server, which still answers for them", async () => {
    const before = await Promise.all(runIds.map((runId) => call(`${server.url}/runs/${runId}`, key)));
    const folder = join(place.folder, "archive");
    const report = await archive(folder);
    expect(report).toMatchObject({ folder, runs: 3, kept: [] });
    expect(readdirSync(folder)).toEqual(report.files);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const file of report.files) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);

    const after = await Promise.all(runIds.map((runId) => call(`${server.url}/runs/${runId}`, key)));
    expect(after.map(({ status, body }) => ({ status, body }))).toEqual(
      before.map(({ status, body }) => ({ status, body })),
    );
    expect(before[0]).toMatchObject({
      status: 200,
      body: { status: "completed", output: { receipt: "Paid 1 cents." } },
    });
    for (const path of [`/runs/${runIds[0]}?include=steps`, `/api/v1/runs/${runIds[0]}/audit`]) {
      expect(await call(`${server.url}${path}`, key)).toMatchObject({ status: 410, body: { code: "run_archived" } });
    }
    expect(await call(`${server.url}/runs/${await payOnce()}?include=steps`, key)).toMatchObject({ status: 200 });

    expect(await procedo(place, "runs", "show", runIds[0] ?? "")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/Archived: its steps are in the file[^]*= completed after \d+ ms: .*Paid 1 cents/),
    });
    expect(await procedo(place, "audit", "verify")).toMatchObject({
      code: 0,
      out: expect.stringContaining("3 runs are in an archive"),
    });
  });

  test("every line of a file verifies offline; a changed, truncated or added line is reported", async () => {
    await payOnce();
    await payOnce();
    const folder = join(place.folder, "verified");
    const { files } = await archive(folder);
    const file = join(folder, files[0] ?? "");
    const publicKey = fileWith(place, "key.json", JSON.parse((await procedo(place, "audit", "public-key")).out));
    const verify = (path: string) => procedo({ ...place, env: {} }, "audit", "verify", path, "--public-key", publicKey);
    const whole = readFileSync(file, "utf8");
    const lines = whole.trimEnd().split("\n");
    expect(lines.length).toBeGreaterThan(1);
    expect(await verify(file)).toMatchObject({
      code: 0,
      out: `Valid: the records of ${lines.length} runs are intact.\n`,
    });

    const damaged = join(place.folder, "damaged.jsonl");
    writeFileSync(damaged, whole.replace('\\"sum\\":1', '\\"sum\\":2'));
    const changed = await verify(damaged);
    expect(changed).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^Line 1 is NOT valid \(row\): .*\nNOT valid/),
    });
    writeFileSync(damaged, whole.slice(0, -100));
    const cut = await verify(damaged);
    expect(cut).toMatchObject({ code: 1, out: expect.stringContaining(`Line ${lines.length} is NOT valid (format)`) });
    writeFileSync(damaged, "");
    expect(await verify(damaged)).toMatchObject({ code: 1, out: "NOT valid: the records of 0 runs are intact.\n" });
    expect(await verify(join(place.folder, "missing.jsonl"))).toMatchObject({
      code: 1,
      err: expect.stringContaining("cannot be read"),
    });
  });

  test("deletes nothing when the folder cannot be written", async () => {
    const runId = await payOnce();
    const notAFolder = fileWith(place, "notes.txt", "notes");
    const attempt = await procedo(place, "archive", "--older-than", "PT0.001S", "--to", join(notAFolder, "archive"));
    expect(attempt).toMatchObject({ code: 1, err: expect.stringContaining("Nothing outside the archive was deleted") });
    expect(await call(`${server.url}/runs/${runId}?include=steps`, key)).toMatchObject({ status: 200 });
  });

  test("requires an age and a folder", async () => {
    expect(await procedo(place, "archive", "--to", "somewhere")).toMatchObject({ code: 2 });
    expect(await procedo(place, "archive", "--older-than", "P90D")).toMatchObject({ code: 2 });
    expect(await procedo(place, "archive", "--older-than", "90 days", "--to", "x")).toMatchObject({
      code: 2,
      err: expect.stringContaining("ISO 8601"),
    });
  });
});
