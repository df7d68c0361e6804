import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, watch } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AuditExport, CreatedApiKey } from "@procedo/contract";
import { verifyExport, type ArchiveReport, type AuditPublicKey } from "@procedo/engine";
import { cases } from "@procedo-testing/tiers";
import { expect, onTestFinished, test } from "vitest";
import { payment } from "./bank.ts";
import {
  call,
  fileWith,
  inherited,
  makePlace,
  procedo,
  procedoJson,
  startProcess,
  type Place,
} from "./server-process.ts";

const runsInRound = 60;

/** Moment of the kill: while a file is written, or while the runs of a finished file are deleted. */
const moments = [/\.tmp$/, /\.jsonl$/];

/** Kills `procedo archive` as soon as a file with a matching name appears. Returns its exit status. */
async function archiveAndKill({ folder, env }: Place, to: string, name: RegExp): Promise<unknown> {
  const script = fileURLToPath(new URL("./bank-command.ts", import.meta.url));
  const argv = ["archive", "--older-than", "PT0.001S", "--to", to];
  const watcher = watch(to);
  const child = spawn(process.execPath, ["--conditions=@procedo/source", script, ...argv], {
    cwd: folder,
    env: { ...inherited, ...env },
    stdio: "ignore",
  });
  watcher.on("change", (_event, file) => {
    if (name.test(String(file))) child.kill("SIGKILL");
  });
  const [, signal] = await once(child, "close");
  watcher.close();
  return signal;
}

test("an archive command killed at any moment loses no run: each is in storage or in a valid file", async () => {
  const place = makePlace();
  const server = await startProcess(place);
  onTestFinished(async () => {
    server.kill("SIGKILL");
    await server.ended;
    place.remove();
  });
  await procedoJson(place, "procedures", "publish", fileWith(place, "payment.json", payment), "--version", "1");
  const create = ["keys", "create", "--name", "load", "--environment", "sandbox"];
  const { key } = await procedoJson<CreatedApiKey>(place, ...create);
  const publicKey = JSON.parse((await procedo(place, "audit", "public-key")).out) as AuditPublicKey;
  const to = join(place.folder, "archive");
  mkdirSync(to);
  const exportsInFiles = (): readonly AuditExport[] =>
    readdirSync(to)
      .filter((name) => name.endsWith(".jsonl"))
      .flatMap((name) => readFileSync(join(to, name), "utf8").trimEnd().split("\n"))
      .map((line) => JSON.parse(line) as AuditExport);
  const runIds: string[] = [];
  const pay = async (): Promise<void> => {
    const request = { data: { sum: 1 }, control: { executionMode: "sync" } };
    const { body } = await call(`${server.url}/v1/procedures/payment/sandbox`, key, request);
    runIds.push((body as { readonly runId: string }).runId);
  };

  const signals: unknown[] = [];
  const rounds = cases({ commit: 4, nightly: 40, release: 200 });
  for (let round = 0; round < rounds; round++) {
    await Promise.all(Array.from({ length: runsInRound }, pay));
    signals.push(await archiveAndKill(place, to, moments[round % moments.length] ?? /x/));
    expect(await procedo(place, "audit", "verify")).toMatchObject({ code: 0 });
  }
  expect(signals).toContain("SIGKILL");
  const { runs, kept } = await procedoJson<ArchiveReport>(place, "archive", "--older-than", "PT0.001S", "--to", to);
  expect(kept).toEqual([]);
  expect(runs).toBeGreaterThan(0);
  const verdicts = exportsInFiles().map((one) => verifyExport(one, publicKey));
  for (const verdict of verdicts) expect(verdict).toMatchObject({ valid: true });
  expect(new Set(verdicts.map((verdict) => (verdict.valid ? verdict.runId : "")))).toEqual(new Set(runIds));
  for (const runId of runIds) {
    expect(await call(`${server.url}/runs/${runId}`, key)).toMatchObject({
      status: 200,
      body: { status: "completed" },
    });
  }
  expect(await procedo(place, "audit", "verify")).toMatchObject({
    code: 0,
    out: expect.stringContaining(`${runIds.length} runs are in an archive`),
  });
});
