/**
 * `pnpm transcript`: calls every endpoint of a running service with the real `curl`, provokes each documented status,
 * and writes requests and answers to `docs/http-transcript.md`. Fails on an unexpected status, or when an operation of
 * the OpenAPI document was not called.
 *
 * transcript/service.ts             the service, started by `pnpm start`
 * transcript/curl.ts                one request
 * transcript/private-connection.ts  a private connection and its client's requests
 * transcript/triggers.ts            a schedule and a webhook trigger
 * transcript/people.ts              people, invitations and sessions
 */
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { curl, guessKeys, type CurlAnswer, type CurlRequest } from "./transcript/curl.ts";
import { callPrivateConnection } from "./transcript/private-connection.ts";
import { callPeople } from "./transcript/people.ts";
import { callTriggers } from "./transcript/triggers.ts";
import { startService } from "./transcript/service.ts";
import { root } from "./workspace.ts";

const service = await startService();
const [ana = "", ben = "", anaLive = ""] = service.keys;
const secrets = new Map([
  [ana, "$ANA"],
  [ben, "$BEN"],
  [anaLive, "$ANA_LIVE"],
]);
const mask = (text: string): string => {
  const named = [...secrets].reduce((masked, [secret, name]) => masked.replaceAll(secret, name), text);
  return named
    .replaceAll(/((?:rsk|run)_(?:sandbox|live)_|ses_|inv_(?=[\w-]{43}))[\w-]{20,}/g, "$1…")
    .replaceAll(/(whsec_)[\w+/=-]{20,}/g, "$1…")
    .replaceAll(service.url, "$URL")
    .replaceAll(service.ledgerUrl, "$LEDGER");
};

const lines: string[] = [];
const wrong: string[] = [];
const called = new Set<string>();

function section(title: string): void {
  lines.push("", `## ${title}`, "");
}

async function expect(status: number, request: CurlRequest): Promise<CurlAnswer> {
  const answer = await curl(service.url, request, mask);
  lines.push("```text", answer.text, "```", "");
  called.add(`${request.method ?? (request.body === undefined ? "GET" : "POST")} ${request.path.split("?")[0] ?? ""}`);
  if (answer.status !== status) wrong.push(`expected ${status}:\n${answer.text}`);
  return answer;
}

/** Time for work that continues after an answer, such as resuming a run or sending a delivery. */
const settleMs = 500;
const pay = "/v1/procedures/vendor-payment/sandbox";
const order = { vendorId: "ven_acme", invoiceId: "inv_1001", amount: 125_000 };
const large = { vendorId: "ven_acme", invoiceId: "inv_1002", amount: 4_500_000 };
const sync = { executionMode: "sync" };
const text = (answer: CurlAnswer, name: string): string => String(answer.body[name]);

/** Starts a run of the large order, which waits for a review. */
async function waiting(): Promise<string> {
  return text(await expect(200, { path: pay, key: ana, body: { data: large, control: sync } }), "runId");
}

const received = createServer(
  (request, response) => void request.resume().on("end", () => response.writeHead(204).end()),
);
received.listen(0, "127.0.0.1");
await once(received, "listening");
const receiverUrl = `http://127.0.0.1:${(received.address() as AddressInfo).port}/`;

section("Run a procedure");
const completed = await expect(200, { path: pay, key: ana, body: { data: order, control: sync } });
const accepted = await expect(202, {
  path: pay,
  key: ana,
  body: { data: order },
  headers: ["Idempotency-Key: order-1"],
});
const again = await expect(202, { path: pay, key: ana, body: { data: order }, headers: ["Idempotency-Key: order-1"] });
if (text(again, "runId") !== text(accepted, "runId")) wrong.push("The same idempotency key started a second run.");
await expect(409, { path: pay, key: ana, body: { data: large }, headers: ["Idempotency-Key: order-1"] });
await expect(200, { path: pay, key: ana, body: { data: { ...order, vendorId: "ven_nobody" }, control: sync } });
await fetch(`${service.ledgerUrl}/_control/behaviour`, {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify([{ route: "GET /vendors/:id", times: 1, delayMs: 3_000 }]),
});
await expect(504, { path: pay, key: ana, body: { data: order, control: { ...sync, executionTimeout: 1_000 } } });
await expect(202, { path: "/api/v1/procedures/vendor-payment/runs", key: ana, body: { data: order } });
await expect(400, { path: pay, key: ana, body: '{"data":' });
await expect(400, { path: pay, key: ana, body: { data: order, urgent: true } });
await expect(400, { path: pay, key: ana, body: { data: order, control: { executionTimeout: 999 } } });
await expect(400, { path: pay, key: ana, body: `{"data":${"[".repeat(70)}${"]".repeat(70)}}` });
await expect(401, { path: pay, body: { data: order } });
await expect(401, { path: pay, key: "rsk_sandbox_nobody", body: { data: order } });
await expect(403, { path: "/v1/procedures/vendor-payment/live", key: ana, body: { data: order } });
await expect(403, { path: pay, key: ben, body: { data: order } });
await expect(404, { path: "/v1/procedures/vendor-payment/staging", key: ana, body: { data: order } });
await expect(404, { path: "/v1/procedures/unknown/sandbox", key: ana, body: { data: order } });
await expect(404, { path: pay, key: ana, body: { data: order, metadata: { procedureVersion: "unknown" } } });
await expect(413, { path: pay, key: ana, body: { data: { text: "x".repeat(1_100_000) } } });
await expect(415, { path: pay, key: ana, body: "data=1", headers: ["Content-Type: text/plain"] });
await expect(422, { path: pay, key: ana, body: { data: { amount: "a lot" } } });
await expect(422, { path: pay, key: ana, body: '{"data":{"amount":9007199254740993}}' });

section("Poll, list, cancel, export");
const runId = text(completed, "runId");
await expect(200, { path: `/runs/${runId}`, key: ana });
await expect(200, { path: `/runs/${runId}?include=steps`, key: ana });
await expect(200, { path: `/api/v1/runs/${runId}/steps/pay/1`, key: ana });
await expect(404, { path: `/runs/${runId}`, key: anaLive });
await expect(404, { path: "/runs/run_unknown", key: ana });
await expect(200, { path: "/api/v1/runs?status=completed&limit=1", key: ana });
await expect(200, { path: "/api/v1/runs?q=inv_&limit=1", key: ana });
await expect(200, { path: "/api/v1/runs?attention=true&limit=1", key: ana });
await expect(200, { path: "/api/v1/summary", key: ana });
await expect(400, { path: "/api/v1/runs?color=red", key: ana });
await expect(400, { path: "/api/v1/runs?cursor=nonsense", key: ana });
await expect(403, { path: "/api/v1/runs?environment=live", key: ana });
await expect(200, { path: `/api/v1/runs/${runId}`, key: ana });
await expect(200, { path: `/api/v1/runs/${runId}/audit`, key: ana });
const cancelled = await waiting();
await expect(200, {
  method: "POST",
  path: `/api/v1/runs/${cancelled}/cancel`,
  key: ana,
  body: { reason: "Sent twice." },
});
await expect(200, { path: `/runs/${cancelled}`, key: ana });
await expect(409, { method: "POST", path: `/api/v1/runs/${runId}/cancel`, key: ana });
await expect(404, { method: "POST", path: "/api/v1/runs/run_unknown/cancel", key: ana });

section("Reviews");
const decide = (run: string): string => `/api/runner-proxy/review/${run}`;
const rejected = await waiting();
const rejection = { approved: false, rejectionReason: "Not ordered by us.", idempotencyKey: randomUUID() };
await expect(422, { path: decide(rejected), key: ben, body: { ...rejection, rejectionReason: undefined } });
await expect(422, { path: decide(rejected), key: ben, body: { ...rejection, idempotencyKey: "not a UUID" } });
await expect(200, { path: decide(rejected), key: ben, body: rejection });
await pause(settleMs);
await expect(200, { path: `/runs/${rejected}`, key: ana });
const leftInReview = await waiting();
const asked = await waiting();
const polled = await expect(200, { path: `/runs/${asked}`, key: ben });
const { reviewId, digest } = polled.body["review"] as { readonly reviewId: string; readonly digest: string };
await expect(200, { path: "/api/v1/reviews?status=open", key: ben });
await expect(200, { path: `/api/v1/reviews?q=${asked}`, key: ben });
await expect(200, { path: `/api/v1/reviews/${reviewId}`, key: ben });
await expect(404, { path: "/api/v1/reviews/rev_unknown", key: ben });
const approval = { approved: true, idempotencyKey: randomUUID(), reviewId, reviewDigest: digest };
await expect(422, { path: decide(asked), key: ben, body: { ...approval, idempotencyKey: rejection.idempotencyKey } });
await expect(412, { path: decide(asked), key: ben, body: { ...approval, reviewDigest: "something else" } });
await expect(403, { path: decide(asked), key: ana, body: approval });
await expect(404, { path: decide("run_unknown"), key: ben, body: { ...approval, idempotencyKey: randomUUID() } });
await expect(404, { path: decide(runId), key: ben, body: { approved: true, idempotencyKey: randomUUID() } });
await expect(200, { path: decide(asked), key: ben, body: approval });
await expect(200, { path: decide(asked), key: ben, body: approval });
await expect(409, { path: decide(asked), key: ben, body: { ...approval, idempotencyKey: randomUUID() } });

section("Procedures");
await expect(200, { path: "/api/v1/procedures", key: ana });
await expect(200, { path: "/api/v1/procedures/vendor-payment", key: ana });
await expect(404, { path: "/api/v1/procedures/unknown", key: ana });
const document = {
  schemaVersion: 1,
  procedureId: "greeting",
  name: "Greeting",
  input: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
  nodes: [
    { id: "start", kind: "start" },
    { id: "done", kind: "end", output: { greeting: "Hello {{ input.name }}" } },
  ],
  edges: [{ from: "start", to: "done" }],
};
const greeting = "/api/v1/procedures/greeting";
await expect(200, { method: "PUT", path: `${greeting}/draft`, key: ana, body: { document } });
await expect(409, { method: "PUT", path: `${greeting}/draft`, key: ana, body: { document, revision: 7 } });
await expect(200, { path: `${greeting}/validate`, key: ana, body: { document: { ...document, edges: [] } } });
await expect(201, { path: `${greeting}/versions`, key: ana, body: { version: "v1" } });
await expect(409, { path: `${greeting}/versions`, key: ana, body: { version: "v2", basedOn: "v0" } });
await expect(409, { method: "DELETE", path: `${greeting}/draft?revision=7`, key: ana });
await expect(200, { method: "DELETE", path: `${greeting}/draft?revision=1`, key: ana });
await expect(404, { method: "DELETE", path: `${greeting}/draft?revision=1`, key: ana });
await expect(409, { path: `${greeting}/versions`, key: ana, body: { version: "v1", document } });
await expect(422, {
  path: `${greeting}/versions`,
  key: ana,
  body: { version: "v2", document: { ...document, edges: [] } },
});
await expect(403, { path: `${greeting}/versions`, key: ben, body: { version: "v2", document } });
await expect(200, { path: `${greeting}/versions`, key: ana });
await expect(200, { path: `${greeting}/versions/v1`, key: ana });
await expect(404, { path: `${greeting}/versions/v9`, key: ana });
await expect(200, { method: "PUT", path: `${greeting}/defaults/sandbox`, key: ana, body: { version: "v1" } });
await expect(403, { method: "PUT", path: `${greeting}/defaults/live`, key: ana, body: { version: "v1" } });
await expect(404, { method: "PUT", path: `${greeting}/defaults/sandbox`, key: ana, body: { version: "v9" } });

section("Triggers");
await callTriggers(expect, { key: ana, live: anaLive });

section("Connections");
await expect(200, { path: "/api/v1/integrations/custom_api", key: ana });
await expect(404, { path: "/api/v1/integrations/unknown", key: ana });
const connections = "/api/v1/connections";
const spec = { url: `${service.ledgerUrl}/openapi.json` };
const books = {
  name: "books",
  integration: "custom_api",
  environment: "sandbox",
  settings: { spec, authentication: { method: "bearer_token" }, idempotencyHeader: "Idempotency-Key" },
  secrets: { token: "not-the-ledger's" },
};
await expect(200, { path: `${connections}/preview`, key: ana, body: { spec } });
const connected = await expect(201, { path: connections, key: ana, body: books });
const connection = `${connections}/${text(connected, "id")}`;
await expect(409, { path: connections, key: ana, body: books });
await expect(422, {
  path: connections,
  key: ana,
  body: { ...books, name: "other", settings: { ...books.settings, spec: { text: "openapi: 3.1.0" } } },
});
await expect(422, {
  path: connections,
  key: ana,
  body: {
    ...books,
    name: "other",
    settings: { ...books.settings, spec: { url: "http://169.254.169.254/openapi.json" } },
  },
});
await expect(403, { path: connections, key: ana, body: { ...books, environment: "live" } });
await expect(200, { path: connections, key: ana });
await expect(200, { path: connection, key: ana });
await expect(404, { path: connection, key: anaLive });
await expect(200, { path: `${connection}/actions?search=payments&limit=1`, key: ana });
await expect(200, { path: `${connection}/actions/post_payments`, key: ana });
await expect(200, { path: "/api/v1/actions?search=payments&limit=1", key: ana });
await expect(200, { path: "/api/v1/integrations", key: ana });
await expect(200, { method: "POST", path: `${connection}/test`, key: ana });
await expect(200, {
  method: "PATCH",
  path: connection,
  key: ana,
  body: { name: "ledger-books", settings: { effects: { post_payments: "idempotent" } } },
});
await expect(200, { method: "DELETE", path: connection, key: ana });
const [ledger] = (await expect(200, { path: `${connections}?limit=1`, key: ana })).body["data"] as [
  { readonly id: string },
];
await expect(409, { method: "DELETE", path: `${connections}/${ledger.id}`, key: ana });

section("Private connections and their clients");
await callPrivateConnection(expect, { key: ana, reviewer: ben });

section("Webhooks");
const events = ["run_completed", "run_failed", "human_review_requested", "custom.payment_sent"];
const hook = await expect(201, { path: "/api/v1/webhooks", key: ana, body: { url: receiverUrl, events } });
const webhook = `/api/v1/webhooks/${text(hook, "id")}`;
await expect(422, { path: "/api/v1/webhooks", key: ana, body: { url: "http://169.254.169.254/latest", events } });
await expect(400, { path: "/api/v1/webhooks", key: ana, body: { url: receiverUrl, events: ["payday"] } });
await expect(200, { path: "/api/v1/webhooks", key: ana });
await expect(200, { path: webhook, key: ana });
await expect(404, { path: webhook, key: anaLive });
await expect(200, { method: "PATCH", path: webhook, key: ana, body: { name: "Books" } });
const sample = await expect(200, { method: "POST", path: `${webhook}/test`, key: ana });
await expect(200, { method: "POST", path: `${webhook}/rotate`, key: ana, body: { keepOldSecret: true } });
await pause(settleMs);
await expect(200, { path: `${webhook}/deliveries`, key: ana });
await expect(200, { path: `${webhook}/deliveries/${text(sample, "id")}`, key: ana });
await expect(404, { path: `${webhook}/deliveries/dlv_unknown`, key: ana });
await expect(200, { method: "POST", path: `${webhook}/deliveries/${text(sample, "id")}/resend`, key: ana });
await expect(404, { method: "POST", path: `${webhook}/deliveries/dlv_unknown/resend`, key: ana });
const resend = `${webhook}/deliveries/resend`;
await expect(200, { path: resend, key: ana, body: { since: "2026-01-01T00:00:00Z" } });
await expect(400, { path: resend, key: ana, body: { since: "yesterday" } });
await expect(403, { path: resend, key: ben, body: { since: "2026-01-01T00:00:00Z" } });
await expect(200, { method: "DELETE", path: webhook, key: ana });
await expect(404, { path: webhook, key: ana });

section("API keys");
await expect(200, { path: "/api/v1/api-keys", key: ana });
const made = await expect(201, {
  path: "/api/v1/api-keys",
  key: ana,
  body: { name: "nightly job", environment: "sandbox" },
});
await expect(400, { path: "/api/v1/api-keys", key: ana, body: { environment: "sandbox" } });
await expect(403, { path: "/api/v1/api-keys", key: ana, body: { name: "x", environment: "live" } });
await expect(403, {
  path: "/api/v1/api-keys",
  key: ana,
  body: { name: "x", environment: "sandbox", permissions: ["review"] },
});
await expect(200, { method: "DELETE", path: `/api/v1/api-keys/${text(made, "id")}`, key: ana });
await expect(401, { path: "/api/v1/runs", key: text(made, "key") });
await expect(404, { method: "DELETE", path: "/api/v1/api-keys/key_unknown", key: ana });

section("People and sessions");
await callPeople(expect, {
  inviteOwner: (email) => service.inviteOwner(email),
  runInReview: leftInReview,
  key: ana,
  appUrl: service.url,
});

section("The service itself");
await expect(200, { path: "/api/v1/audit/public-key" });
await expect(200, { path: "/api/v1/audit?limit=2", key: ana });
await expect(400, { path: "/api/v1/audit?by=ana", key: ana });
await expect(200, { path: "/api/v1/openapi.json" });
await expect(200, { path: "/api/v1/procedure.schema.json" });
await expect(200, { path: "/healthz" });
await expect(200, { path: "/readyz" });
await expect(405, { method: "DELETE", path: "/api/v1/runs", key: ana });
await expect(404, { path: "/unknown" });
await guessKeys(service.url, 3_500);
lines.push("After several thousand invalid keys from one address, and then with the valid key:", "");
// One attempt per 60 ms is allowed. The first request ensures that the concurrent attempts have started, so that the
// second one exceeds the limit.
const guess = { path: "/api/v1/runs?limit=1", key: "rsk_sandbox_nobody" };
const guessing = guessKeys(service.url, 10_000);
await curl(service.url, guess, mask);
await expect(429, guess);
await guessing;
await expect(200, { path: "/api/v1/runs?limit=1", key: ana });

const openApi = (await (await fetch(`${service.url}/api/v1/openapi.json`)).json()) as {
  readonly paths: { readonly [path: string]: { readonly [method: string]: unknown } };
};
received.close();
await service.stop();

for (const [path, methods] of Object.entries(openApi.paths)) {
  const pattern = new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`);
  for (const method of Object.keys(methods)) {
    if (!["get", "post", "put", "patch", "delete"].includes(method)) continue;
    const hit = [...called].some((one) => {
      const [verb = "", where = ""] = one.split(" ");
      return verb.toLowerCase() === method && pattern.test(where);
    });
    if (!hit) wrong.push(`${method} ${path} was not called.`);
  }
}

const head = [
  "# The service by curl",
  "",
  "Every endpoint and each status except 410 (the run was archived) and 503 (storage is unavailable, or the service is overloaded), recorded by `pnpm transcript`. The key `$ANA` may run and manage, `$BEN` may review.",
];
writeFileSync(join(root, "docs/http-transcript.md"), `${[...head, ...lines].join("\n").trimEnd()}\n`);
for (const problem of wrong) console.error(`WRONG ${problem}\n`);
console.log(`${lines.filter((line) => line.startsWith("$ curl")).length} requests, ${wrong.length} wrong.`);
process.exitCode = wrong.length === 0 ? 0 : 1;
