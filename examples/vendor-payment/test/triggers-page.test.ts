import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createTriggerRequestSchema, type Environment } from "@procedo/contract";
import { readSettings, startServer, type RunningServer } from "@procedo/server";
import type { LedgerProcess } from "@procedo-examples/ledger";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ledgerEvents } from "../src/ledger-events.ts";
import { startLedgerNearby } from "../src/ledger-nearby.ts";
import { prepareTriggers, type PreparedTriggers } from "../src/prepare-triggers.ts";
import { setReceiver } from "../src/set-receiver.ts";
import { ana, makeFirstKeys, publishDueInvoices, publishVendorPayment } from "../src/prepare-workspace.ts";

/* The commands of docs/triggers.md, in their order, by a shell with curl and openssl against the server of `start`. */
const page = readFileSync(new URL("../../../docs/triggers.md", import.meta.url), "utf8");
const blocksOf = (language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "gm"))].map(([, code = ""]) => code);

const sandbox: Environment = "sandbox";
let folder: string;
let server: RunningServer;
let ledger: LedgerProcess;
let prepared: PreparedTriggers;
let variables: Record<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "procedo-triggers-page-"));
  const settings = readSettings({
    ...{ PORT: "0", PROCEDO_DATA_DIR: join(folder, "data"), PROCEDO_LOG_LEVEL: "silent" },
    PROCEDO_ALLOW_NETWORKS: "127.0.0.0/8",
  });
  server = await startServer({ settings, integrations: [ledgerEvents] });
  ledger = await startLedgerNearby(server, join(folder, "ledger"));
  await publishVendorPayment(server.engine);
  await publishDueInvoices(server.engine);
  prepared = await prepareTriggers(server.engine, sandbox);
  const keys = await makeFirstKeys(server.engine);
  const key = keys.find((one) => one.person === ana && one.environment === sandbox)?.key ?? "";
  variables = { URL: server.appUrl, LEDGER: ledger.url, ANA: key };
});

afterAll(async () => {
  await server.stop();
  await ledger.kill();
  rmSync(folder, { recursive: true });
});

/** The output of the only block that contains the text. */
async function paste(text: string): Promise<string> {
  const found = blocksOf("sh").filter((code) => code.includes(text));
  if (found.length !== 1) throw new Error(`${found.length} blocks contain ${text}.`);
  const env = { PATH: process.env["PATH"], PS1: "", ...variables };
  const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", found[0] ?? ""], { env });
  return stdout;
}

interface Answer {
  readonly id: string;
  readonly secret: string;
  readonly inbound: { readonly url: string };
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

const answerTo = async (text: string): Promise<Answer> => JSON.parse(await paste(text)) as Answer;

async function get(path: string): Promise<Answer["data"]> {
  const headers = { authorization: `Bearer ${variables["ANA"] ?? ""}` };
  const answer = await fetch(`${server.appUrl}/api/v1/${path}`, { headers });
  return ((await answer.json()) as Answer).data;
}

const runsOf = (triggerId: string) => get(`runs?triggerId=${triggerId}`);

describe("docs/triggers.md", () => {
  test("creates a schedule, previews times, and fires those that were missed", async () => {
    const created = await answerTo(`"cron": "30 6 * * 1-5"`);
    expect(created).toMatchObject({ state: "active", procedureId: "due-invoices" });
    expect(await answerTo("triggers/preview")).toMatchObject({ next: { length: 5 } });
    variables["TRIGGER"] = created.id;
    expect(await answerTo("/backfill")).toEqual({ added: 1, known: 0 });
    const run = { status: "completed", reference: "2026-11-25", trigger: { scheduledAt: "2026-11-25T05:30:00.000Z" } };
    await expect.poll(() => runsOf(created.id)).toMatchObject([run]);
  });

  test("creates a webhook, whose signed request starts one run, also when it is sent again", async () => {
    const created = await answerTo(`"kind": "webhook"`);
    const { id, secret, inbound } = created;
    Object.assign(variables, { TRIGGER: id, SECRET: secret, ADDRESS: inbound.url });
    for (let times = 0; times < 2; times++) expect(await paste("openssl dgst")).toMatch(/^HTTP\/1\.1 2\d\d /);
    await expect.poll(() => runsOf(id)).toMatchObject([{ status: "completed" }]);
    const [firings = "", runs = ""] = (await paste("/firings")).split(/(?<=\})(?=\{)|\n/);
    expect(JSON.parse(firings)).toMatchObject({ data: [{ status: "started", duplicates: 1 }] });
    expect(JSON.parse(runs)).toMatchObject({ data: [{ trigger: { kind: "webhook", triggerId: id } }] });
  });

  test("refuses the same request by another secret with an empty 401", async () => {
    const secret = variables["SECRET"] ?? "";
    variables["SECRET"] = `${secret}x`;
    expect(await paste("openssl dgst")).toMatch(/^HTTP\/1\.1 401 [^]*\r\n\r\n$/);
    variables["SECRET"] = secret;
  });

  test("tests the webhook with the shown result, and fires it", async () => {
    const shown = blocksOf("json").find((code) => code.includes(`"matches"`)) ?? "";
    expect(await answerTo("/test")).toEqual(JSON.parse(shown));
    const { length } = await runsOf(variables["TRIGGER"] ?? "");
    await paste("/fire");
    await expect.poll(async () => (await runsOf(variables["TRIGGER"] ?? "")).length).toBe(length + 1);
  });

  test("lets an invoice arrive, which the trigger of start pays", async () => {
    await paste("/_control/invoices");
    const { payOnArrivalId } = prepared;
    await expect
      .poll(() => runsOf(payOnArrivalId))
      .toMatchObject([{ status: "completed", reference: "inv_1007", trigger: { kind: "integration" } }]);
  });

  test("backfills events that the ledger lists and that never arrived", async () => {
    const { payOnArrivalId } = prepared;
    const lost = { name: "procedo", url: "http://127.0.0.1:9/lost", secret: "a-secret-of-no-receiver" };
    await setReceiver(ledger, lost);
    await paste("/_control/invoices");
    const body = JSON.stringify({ from: "2026-01-01T00:00:00Z", to: new Date(Date.now() + 60_000).toISOString() });
    const headers = { authorization: `Bearer ${variables["ANA"] ?? ""}`, "content-type": "application/json" };
    const backfill = await fetch(`${server.appUrl}/api/v1/triggers/${payOnArrivalId}/backfill`, {
      ...{ method: "POST", headers, body },
    });
    expect(await backfill.json()).toEqual({ added: 1, known: 1 });
    await expect
      .poll(() => runsOf(payOnArrivalId))
      .toMatchObject([{ status: "completed", reference: "inv_1008" }, { reference: "inv_1007" }]);
  });

  test("shows triggers that the interface accepts, and the code of the integration as it is", () => {
    const triggers = blocksOf("json").filter((code) => code.includes(`"source"`));
    expect(triggers).toHaveLength(2);
    for (const code of triggers) createTriggerRequestSchema.parse(JSON.parse(code));
    expect(blocksOf("ts")).toEqual([readFileSync(new URL("../src/ledger-events.ts", import.meta.url), "utf8")]);
  });
});
