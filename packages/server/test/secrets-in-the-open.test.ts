import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CreatedApiKey } from "@procedo/contract";
import { expect, onTestFinished, test } from "vitest";
import { inquiry } from "./bank.ts";
import { call, fileWith, makePlace, procedo, procedoJson, startProcess, withEngine } from "./server-process.ts";
import { openVault } from "./vault.ts";

/** A secret in plain and in encoded forms. */
function spellings(secret: string): readonly Buffer[] {
  const bytes = Buffer.from(secret);
  const texts = [secret, encodeURIComponent(secret), bytes.toString("hex"), JSON.stringify(secret).slice(1, -1)];
  // Without the last characters, which depend on the following text.
  const encoded = [bytes.toString("base64"), bytes.toString("base64url")].map((text) => text.slice(0, -4));
  return [...texts, ...encoded].map((text) => Buffer.from(text));
}

function found(secrets: Readonly<Record<string, string>>, where: Readonly<Record<string, Buffer>>): readonly string[] {
  return Object.entries(where).flatMap(([place, bytes]) =>
    Object.entries(secrets)
      .filter(([, secret]) => spellings(secret).some((spelling) => bytes.includes(spelling)))
      .map(([name]) => `${name} in ${place}`),
  );
}

test("no secret is in the log, the database, a backup, a record or an export", async () => {
  const masterKey = randomBytes(32).toString("hex");
  const token = `vault/token+"${randomBytes(16).toString("base64")}"`;
  const place = makePlace({ PROCEDO_MASTER_KEY: masterKey, PROCEDO_LOG_LEVEL: "trace" });
  const vault = await openVault();
  const server = await startProcess(place);
  onTestFinished(async () => {
    server.kill("SIGKILL");
    await server.ended;
    vault.close();
    place.remove();
  });
  const by = { person: "operator" };
  let webhookSecret = "";
  await withEngine(place, async (engine) => {
    const connection = { name: "vault", integration: "vault", environment: "sandbox" } as const;
    await engine.connections.create({ ...connection, settings: { url: vault.url }, secrets: { token }, by });
    const webhook = { url: vault.url, events: ["run_failed"], environment: "sandbox" } as const;
    webhookSecret = (await engine.webhooks.create({ ...webhook, by })).secret;
  });
  await procedoJson(place, "procedures", "publish", fileWith(place, "inquiry.json", inquiry), "--version", "1");
  const create = ["keys", "create", "--name", "test", "--environment", "sandbox"];
  const { id, key } = await procedoJson<CreatedApiKey>(place, ...create);

  const start = `${server.url}/v1/procedures/inquiry/sandbox`;
  const question = "question-canary";
  const reply = call(start, key, { data: { question }, control: { executionMode: "sync" } });
  const asked = await vault.next();
  expect(asked.authorization).toBe(`Bearer ${token}`);
  // A service that echoes its input.
  asked.answer(`You said ${asked.authorization ?? ""}.`);
  const { body } = await reply;
  const { runId } = body as { readonly runId: string };
  await call(start, `${key}x`, { data: { question } });
  await call(`${server.url}/runs/${runId}?key=${key}`, key);
  await fetch(`${server.url}/${key}`, { headers: { authorization: `Basic ${key}`, "x-api-key": key } });

  const shown = [
    await procedo(place, "runs", "show", runId),
    await procedo(place, "audit", "export", runId),
    await procedo(place, "keys", "list", "--json"),
    await procedo(place, "audit", "verify", "--json"),
  ];
  await procedo(place, "backup", join(place.folder, "data/backup.sqlite"));
  const live = files(join(place.folder, "data"));
  server.kill("SIGTERM");
  expect(await server.ended).toBe(0);

  const rawMasterKey = Buffer.from(masterKey, "hex").toString("base64url");
  const secrets = { masterKey, rawMasterKey, token, key, webhookSecret };
  expect(
    found(secrets, {
      ...live,
      "the log": Buffer.from(server.output()),
      "an answer": Buffer.from(JSON.stringify(body)),
      ...Object.fromEntries(shown.map(({ out, err }, index) => [`command ${index}`, Buffer.from(out + err)])),
    }),
  ).toEqual([]);
  expect(Object.keys(live)).toContain("backup.sqlite");
  expect(server.output()).toContain(runId);
  expect(server.output()).not.toContain(question);
  expect(await procedo(place, "keys", "delete", id)).toMatchObject({ code: 0 });
});

test("a master key from the data folder is not in the log", async () => {
  const masterKey = randomBytes(32).toString("base64url");
  // The log names the folder, and the folder is named like the key.
  const spoken = makePlace();
  const dataDir = join(spoken.folder, `before-${masterKey}-after`);
  const place = { ...spoken, env: { ...spoken.env, PROCEDO_DATA_DIR: dataDir } };
  onTestFinished(() => place.remove());
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, "master.key"), masterKey);
  const server = await startProcess(place);
  server.kill("SIGTERM");
  expect(await server.ended).toBe(0);
  expect(server.output()).toContain("before-[redacted]-after");
  expect(found({ masterKey }, { "the log": Buffer.from(server.output()) })).toEqual([]);
});

test("the search finds a secret in each encoding", () => {
  const secret = 'a secret/with+"signs"';
  for (const spelling of spellings(secret)) {
    const where = { there: Buffer.concat([Buffer.from("before "), spelling, Buffer.from(" after")]) };
    expect(found({ secret }, where)).toEqual(["secret in there"]);
  }
  expect(found({ secret }, { there: Buffer.from("nothing") })).toEqual([]);
});

function files(folder: string): Readonly<Record<string, Buffer>> {
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
}
