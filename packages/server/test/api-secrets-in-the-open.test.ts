import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ApiAuthentication, CreatedApiKey } from "@procedo/contract";
import { expect, onTestFinished, test } from "vitest";
import { openDescribedApi } from "./described-api.ts";
import { call, fileWith, makePlace, procedo, procedoJson, startProcess } from "./server-process.ts";

/** Secrets with characters that URLs, JSON and forms escape. */
const secret = {
  headerKey: 'header/key+"ü&1c9d',
  queryKey: 'query/key+"ü&7f3e',
  token: 'bearer/token+"ü&a41b',
  user: "basic-user-51c2",
  password: 'basic/password+"ü:&88fe',
};

const methods: readonly {
  readonly name: string;
  readonly authentication: ApiAuthentication;
  readonly secrets: Readonly<Record<string, string>>;
}[] = [
  {
    name: "header",
    authentication: { method: "api_key_header", header: "X-Api-Key" },
    secrets: { apiKey: secret.headerKey },
  },
  {
    name: "query",
    authentication: { method: "api_key_query", parameter: "api key" },
    secrets: { apiKey: secret.queryKey },
  },
  { name: "bearer", authentication: { method: "bearer_token" }, secrets: { token: secret.token } },
  {
    name: "basic",
    authentication: { method: "basic_auth" },
    secrets: { user: secret.user, password: secret.password },
  },
  { name: "none", authentication: { method: "none" }, secrets: {} },
];

const html = (text: string): string =>
  text.replace(/[&<>"'/]/g, (sign) => ({ "&": "&amp;", '"': "&quot;", "/": "&#x2F;" })[sign] ?? sign);
const json = (text: string): string => JSON.stringify(text).slice(1, -1);
const ascii = (text: string): string => json(text).replaceAll("ü", "\\u00FC").replaceAll("&", "\\u0026");
const form = (text: string): string => new URLSearchParams({ "": text }).toString().slice(1);
const escapes = [html, json, ascii, form, encodeURI, encodeURIComponent];

/** A text in each escaped form, and in each form escaped again. */
function escaped(text: string): readonly string[] {
  const once = escapes.map((escape) => escape(text));
  return [text, ...once, ...once.flatMap((one) => escapes.map((escape) => escape(one)))];
}

/** The part of a secret that remains after truncation. */
const partLength = 11;

/** Encodings in which a secret could leak: escaped once or twice, hex, base64, Latin-1. */
function spellings(text: string): readonly Buffer[] {
  const bytes = Buffer.from(text);
  const encoded = [bytes, Buffer.from(text, "latin1"), Buffer.from(`${secret.user}:${text}`)].flatMap((one) =>
    // Without the last characters, which depend on the following text.
    [one.toString("base64").slice(0, -4), one.toString("base64url").slice(0, -4), one.toString("hex")],
  );
  const texts = [...escaped(text), ...encoded, ...escaped(text.slice(0, partLength))];
  return [...texts.map((one) => Buffer.from(one)), Buffer.from(text, "latin1")];
}

function found(where: Readonly<Record<string, Buffer>>): readonly string[] {
  return Object.entries(where).flatMap(([place, bytes]) =>
    Object.entries(secret)
      .filter(([, text]) => spellings(text).some((spelling) => bytes.includes(spelling)))
      .map(([name]) => `${name} in ${place}`),
  );
}

const procedure = (connection: string) => ({
  schemaVersion: 1,
  procedureId: `pay-${connection}`,
  name: "Pay",
  input: { type: "object" },
  nodes: [
    { id: "start", kind: "start" },
    {
      id: "pay",
      kind: "tool_call",
      connection,
      action: "post_payments",
      arguments: { amount: 1 },
      onUnknownOutcome: "fail",
      emit: { name: "paid", data: { said: "{{ nodes.pay.output }}" } },
    },
    { id: "done", kind: "end", output: { said: "{{ nodes.pay.output }}" } },
    { id: "failed", kind: "end", output: { error: "{{ nodes.pay.error }}" } },
  ],
  edges: [
    { from: "start", to: "pay" },
    { from: "pay", to: "done" },
    { from: "pay", branch: "error", to: "failed" },
  ],
});

/** An API may echo credentials in a success, an error or a redirect. */
const statuses = [200, 401, 500, 302, 400];

/** A step keeps 16 KiB of an error's body. */
const keptBytes = 16 * 1024;

test("no credential of a described API is in the database, a backup, the log, a record, an export or a webhook", async () => {
  const place = makePlace({
    PROCEDO_LOG_LEVEL: "trace",
    ...Object.fromEntries(Object.entries(secret).map(([name, text]) => [`CANARY_${name}`, text])),
  });
  let status = 200;
  let own: readonly string[] = [];
  let cuts = 0;
  /** An error's body that is truncated within an encoded secret, with another encoding and position each time. */
  const cutBody = (): string => {
    const forms = own.flatMap(escaped);
    const one = forms[cuts % forms.length] ?? "";
    const within = one.length === 0 ? 0 : 1 + ((cuts * 5) % one.length);
    cuts += 1;
    return `${"x".repeat(keptBytes - within)}${one}${"y".repeat(1_000)}`;
  };
  const api = await openDescribedApi(({ url, headers }) => ({
    status,
    headers: {
      location: url,
      "x-echo": own.flatMap(escaped).map(encodeURIComponent).join(" ").slice(0, 8_000),
      "set-cookie": own.map(base64).join(" "),
    },
    body:
      status === 400
        ? cutBody()
        : JSON.stringify({ url, headers, own, escaped: own.flatMap(escaped), base64: own.map(base64) }),
  }));
  const webhooks: string[] = [];
  const receiver = await openDescribedApi(({ body, headers }) => {
    webhooks.push(body + JSON.stringify(headers));
    return { status: 204 };
  });
  const server = await startProcess(place);
  onTestFinished(async () => {
    server.kill("SIGKILL");
    await server.ended;
    await Promise.all([api.close(), receiver.close()]);
    place.remove();
  });
  const shown: string[] = [];
  const command = async (...argv: readonly string[]): Promise<void> => {
    const { out, err } = await procedo(place, ...argv);
    shown.push(out, err);
  };

  const create = ["keys", "create", "--name", "test", "--environment", "sandbox"];
  const { key } = await procedoJson<CreatedApiKey>(place, ...create);
  const ask = async (path: string, body?: unknown): Promise<Readonly<Record<string, unknown>>> => {
    const answer = await call(`${server.url}${path}`, key, body);
    shown.push(JSON.stringify(answer));
    return answer.body as Readonly<Record<string, unknown>>;
  };
  await call(`${server.url}/api/v1/webhooks`, key, { url: receiver.url, events: ["run_completed", "custom.paid"] });

  const ids: string[] = [];
  const runs: string[] = [];
  for (const { name, authentication, secrets } of methods) {
    own = Object.values(secrets);
    const settings = { spec: { url: `${api.url}/openapi.json` }, authentication };
    const connection = { name, integration: "custom_api", environment: "sandbox", settings, secrets };
    const { id } = await ask("/api/v1/connections", connection);
    ids.push(String(id));
    await ask("/api/v1/connections", connection);
    const file = fileWith(place, `${name}.json`, procedure(name));
    await command("procedures", "publish", file, "--version", "1", "--default", "sandbox");
    for (status of statuses) {
      await ask(`/api/v1/connections/${String(id)}/test`, {});
      const data = { data: {}, control: { executionMode: "sync" } };
      const { runId } = await ask(`/v1/procedures/pay-${name}/sandbox`, data);
      runs.push(String(runId));
    }
  }
  await expect.poll(() => webhooks.length).toBeGreaterThan(methods.length * 2);

  for (const id of ids) {
    await ask(`/api/v1/connections/${id}?include=spec`);
    await command("connections", "show", id);
  }
  await ask("/api/v1/connections");
  for (const runId of runs) {
    await ask(`/runs/${runId}?include=steps`);
    await command("runs", "show", runId);
    await command("audit", "export", runId);
  }
  await command("audit", "verify", "--json");
  await procedo(place, "backup", join(place.folder, "data/backup.sqlite"));
  const data = files(join(place.folder, "data"));
  server.kill("SIGTERM");
  expect(await server.ended).toBe(0);

  // Each secret was sent, in its own place.
  const sent = api.requests.filter(({ method }) => method === "POST");
  expect(sent).toHaveLength(methods.length * statuses.length);
  expect(sent.filter(({ url }) => url.includes(encodeURIComponent(secret.queryKey)))).toHaveLength(statuses.length);
  expect(sent.filter(({ headers }) => headers["x-api-key"] !== undefined)).toHaveLength(statuses.length);
  expect(sent.filter(({ headers }) => headers.authorization?.startsWith("Bearer "))).toHaveLength(statuses.length);
  expect(sent.filter(({ headers }) => headers.authorization?.startsWith("Basic "))).toHaveLength(statuses.length);

  expect(Object.keys(data)).toContain("backup.sqlite");
  expect(found({ ...data, "the log": Buffer.from(server.output()), shown: Buffer.from(shown.join("\n")) })).toEqual([]);
  expect(found({ webhooks: Buffer.from(webhooks.join("\n")) })).toEqual([]);
  expect(shown.join("").length).toBeGreaterThan(50_000);
});

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

function files(folder: string): Readonly<Record<string, Buffer>> {
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
}
