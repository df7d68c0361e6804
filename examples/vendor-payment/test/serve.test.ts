import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { environments } from "@procedo/contract";
import { defineProcedure, z } from "@procedo/engine";
import { readSettings, startServer } from "@procedo/server";
import { startModelServer } from "@procedo-testing/model-server";
import { afterEach, beforeEach, expect, test } from "vitest";

let folder: string;
let started: { readonly child: ChildProcess; readonly ended: Promise<unknown> }[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "procedo-serve-"));
  started = [];
});

afterEach(async () => {
  for (const { child, ended } of started) {
    child.kill("SIGKILL");
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

interface Served {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
  readonly text: string;
}

/** Runs the part of `pnpm start` after the build, and resolves when it has printed everything. */
async function serve(settings: Readonly<Record<string, string>> = {}): Promise<Served> {
  const script = fileURLToPath(new URL("../src/serve.ts", import.meta.url));
  const child = spawn(process.execPath, ["--conditions=@procedo/source", script], {
    cwd: folder,
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      PORT: "0",
      PROCEDO_DATA_DIR: join(folder, "data"),
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close").then(([code]) => code as unknown);
  let text = "";
  const said = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
        if (text.includes("Press Ctrl-C to stop.")) resolve();
      });
    }
  });
  started.push({ child, ended });
  await Promise.race([said, ended]);
  return { child, ended, text };
}

const ledgerUrl = ({ text }: Served): string => /Ledger +(\S+)/.exec(text)?.[1] ?? "no ledger";
const keysIn = ({ text }: Served): readonly string[] => text.match(/rsk_(sandbox|live)_[\w-]{43}/g) ?? [];

/** The arguments that a shell would make of the printed command of a procedure. */
async function paste({ text }: Served, key?: string, procedureId = "vendor-payment"): Promise<unknown> {
  const lines = text.matchAll(/^curl -sS (\S+) .*Bearer ([^"]+)".* -d '(.*)'$/gm);
  const [, url = "", bearer = "", body = ""] = [...lines].find(([, to = ""]) => to.includes(procedureId)) ?? [];
  const headers = { authorization: `Bearer ${key ?? bearer}`, "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body });
  return await response.json();
}

test("the first start prints keys and a command that pays an invoice; the next start uses the same data", async () => {
  const first = await serve();
  expect(new Set(keysIn(first)).size).toBe(4);
  expect(await paste(first)).toMatchObject({ status: "completed", output: { paymentId: "pay_1" } });
  first.child.kill("SIGINT");
  expect(await first.ended).toBe(0);

  const second = await serve();
  expect(keysIn(second)).toEqual([]);
  expect(second.text).toContain("procedo keys create");
  expect(ledgerUrl(second)).toBe(ledgerUrl(first));
  const reason = "The invoice does not allow it: not_open.";
  expect(await paste(second, keysIn(first)[0])).toMatchObject({ status: "completed", output: { reason } });
});

test("the next start makes no second trigger where people have renamed one or pointed it at another procedure", async () => {
  const first = await serve();
  const [key = ""] = keysIn(first);
  const call = async (served: Served, path: string, init: RequestInit = {}): Promise<unknown> => {
    const [origin = ""] = /http:\/\/127\.0\.0\.1:\d+(?=\/v1\/procedures)/.exec(served.text) ?? [];
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const response = await fetch(`${origin}/api/v1/triggers${path}`, { ...init, headers });
    return await response.json();
  };
  const triggersOf = async (served: Served) => (await call(served, "")) as { data: { id: string; source: object }[] };
  const ids = async (served: Served) => (await triggersOf(served)).data.map(({ id }) => id);
  const before = await ids(first);
  expect(before).toHaveLength(2);
  const changes = { name: "Pay what arrives", procedureId: "vendor-payment", when: "false" };
  const input = { vendorId: "ven_acme", invoiceId: "inv_1", amount: 1 };
  for (const [index, id] of before.entries()) {
    const body = JSON.stringify({ ...changes, input, name: `${changes.name} ${index}` });
    expect(await call(first, `/${id}`, { method: "PATCH", body })).toMatchObject({ id });
  }
  first.child.kill("SIGINT");
  expect(await first.ended).toBe(0);
  expect(await ids(await serve())).toEqual(before);
});

/** The answer to the last printed command that contains the text, by a shell. */
async function pasteIntoShell(
  { text }: Served,
  wanted: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<Record<string, unknown>> {
  const line = text.split("\n").findLast((one) => one.startsWith("curl") && one.includes(wanted)) ?? "false";
  const { stdout } = await promisify(execFile)("bash", ["-c", line], {
    env: { PATH: process.env["PATH"], ...variables },
  });
  return JSON.parse(stdout) as Record<string, unknown>;
}

test("prints a command with which an invoice arrives, and one that shows the run that pays it", async () => {
  const first = await serve();
  expect(await pasteIntoShell(first, "/_control/invoices")).toMatchObject({ id: "inv_1007", status: "open" });
  const [, triggerId = ""] = /runs\?triggerId=(\w+)/.exec(first.text) ?? [];
  const run = { status: "completed", reference: "inv_1007", trigger: { kind: "integration", triggerId } };
  await expect.poll(() => pasteIntoShell(first, triggerId)).toMatchObject({ data: [run] });
  first.child.kill("SIGINT");
  await first.ended;

  const second = await serve();
  expect(second.text).toContain(triggerId);
  await pasteIntoShell(second, "/_control/invoices");
  const key = { PROCEDO_KEY: keysIn(first)[0] ?? "" };
  await expect
    .poll(() => pasteIntoShell(second, triggerId, key))
    .toMatchObject({ data: [{ status: "completed", reference: "inv_1008" }] });
});

/** The payment that waits for Ben after the first start. */
const firstReview = { title: "Pay 18,500.00 EUR to Acme Industrial GmbH?", mayDecide: { allowed: true } };

test("the first start invites two people, and their keys act as them, before and after they have joined", async () => {
  const first = await serve();
  const url = /Dashboard API +(\S+)\/api\/v1/.exec(first.text)?.[1] ?? "no address";
  const links = [...first.text.matchAll(/^ {2}(\S+@example\.com) \((\w+)\) +(\S+)#(inv_[\w-]{43})$/gm)];
  expect(links.map(([, person, role, page]) => [person, role, page])).toEqual([
    ["ana@example.com", "owner", `${url}/dashboard/invitation`],
    ["ben@example.com", "reviewer", `${url}/dashboard/invitation`],
  ]);
  const [sandboxRuns = "", sandboxReviews = ""] = keysIn(first);
  const get = async (path: string, key: string): Promise<unknown> => {
    const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } });
    return await answer.json();
  };
  for (const [, , , , token] of links) {
    expect(await get("/api/v1/reviews", sandboxReviews)).toMatchObject({ data: [firstReview] });
    const body = JSON.stringify({ token, name: "A person", password: "seventeen green barges" });
    const headers = { "content-type": "application/json" };
    const accepted = await fetch(`${url}/api/v1/invitations/accept`, { method: "POST", headers, body });
    expect(accepted.status).toBe(201);
  }
  expect(await paste(first)).toMatchObject({ status: "completed" });
  const startedBy = "ana@example.com";
  const runs = [
    { startedBy, status: "completed" },
    { startedBy, status: "awaiting_review" },
  ];
  expect(await get("/api/v1/runs", sandboxRuns)).toMatchObject({ data: runs });
  first.child.kill("SIGINT");
  await first.ended;
  const second = await serve();
  expect(second.text).not.toMatch(/dashboard\/invitation/);
  expect(second.text).toMatch(/^Open the dashboard: http:\S+\/dashboard$/m);
  expect(second.text).toContain("--person ana@example.com");
});

test("with a configured model there is mailed-payment and a mail to paste; without one there is neither", async () => {
  expect((await serve()).text).not.toContain("mailed-payment");
  const models = await startModelServer();
  try {
    const { url, key } = models;
    const served = await serve({
      ...{ PROCEDO_DATA_DIR: join(folder, "with-model"), PROCEDO_MODEL: "compatible:qwen3" },
      ...{ PROCEDO_MODEL_URL: url, PROCEDO_MODEL_API_KEY: key },
    });
    const calls = (input: Readonly<Record<string, string | number>>) =>
      ({ kind: "reply", toolCalls: [{ input }] }) as const;
    models.script(
      calls({ branch: "invoice", reason: "It names inv_1003.", confidence: 1 }),
      calls({ id: "inv_1003" }),
      calls({ amount: 89_990, reference: "Invoice inv_1003" }),
    );
    expect(await paste(served, undefined, "mailed-payment")).toMatchObject({ output: { paymentId: "pay_1" } });
    // Both commands pay.
    expect(await paste(served)).toMatchObject({ output: { paymentId: "pay_2" } });
  } finally {
    await models.close();
  }
});

test("pays also where another procedure was published as version 1 before", async () => {
  const settings = readSettings({ PORT: "0", PROCEDO_DATA_DIR: join(folder, "data"), PROCEDO_LOG_LEVEL: "silent" });
  const { engine, stop } = await startServer({ settings });
  const document = defineProcedure({
    procedureId: "vendor-payment",
    name: "As it was",
    input: z.object({}),
    nodes: { start: { kind: "start", next: "end" }, end: { kind: "end", output: {} } },
  });
  await engine.procedures.publish({ document, version: "1", defaultIn: environments, by: { person: "operator" } });
  await stop();

  expect(await paste(await serve())).toMatchObject({ output: { paymentId: "pay_1" } });
});

test("the connection follows a ledger that moves to another address", async () => {
  const first = await serve();
  first.child.kill("SIGINT");
  await first.ended;
  const port = Number(new URL(ledgerUrl(first)).port);
  const squatter = createServer().listen(port, "127.0.0.1");
  await once(squatter, "listening");
  try {
    const second = await serve();
    expect(ledgerUrl(second)).not.toBe(ledgerUrl(first));
    expect(await paste(second, keysIn(first)[0])).toMatchObject({ output: { paymentId: "pay_1" } });
  } finally {
    squatter.close();
  }
});

test.each(["SIGTERM", "SIGKILL"] as const)("%s also ends the ledger", async (signal) => {
  const one = await serve();
  const ledger = ledgerUrl(one);
  const answers = () =>
    fetch(`${ledger}/vendors/ven_acme`).then(
      ({ status }) => status,
      () => "gone",
    );
  expect(await answers()).toBe(401);
  one.child.kill(signal);
  await one.ended;
  await expect.poll(answers).toBe("gone");
});

test("an invalid setting is reported in one line", async () => {
  const { ended, text } = await serve({ PORT: "x" });
  expect(await ended).toBe(1);
  expect(text).toMatch(/^Error \(invalid_configuration\): PORT is "x"\..*\n$/);
});
