import { describe, expect, test } from "vitest";
import { headerOf } from "../calls/recording-server.ts";
import { ledgerDocument } from "../custom-api/documents.ts";
import { callDocument, ledgerEngine, sandbox, type LedgerEngine } from "./ledger-engine.ts";

const token = "t0ken-5f0c3c1e8b5e";

async function connected(settings = {}): Promise<LedgerEngine> {
  const harness = await ledgerEngine();
  const spec = { text: ledgerDocument(`${harness.server.origin}/v1`) };
  const own = { authentication: { method: "bearer_token" }, idempotencyHeader: "Idempotency-Key", ...settings };
  await harness.connect({ spec, ...own }, { token });
  return harness;
}

const pay = (node = {}) => callDocument("pay.now", { amount: 1250, note: "Invoice 7" }, node);
const json = { "content-type": "application/json" };

describe("an operation as a step of a procedure", () => {
  test("is called as in the document, and its response is the step's output", async () => {
    const harness = await connected();
    harness.server.answers = [{ status: 201, headers: json, body: '{"id":"pay_1","balance":9007199254740993}' }];
    const run = await harness.run(pay());
    expect(run).toMatchObject({
      status: "completed",
      output: { answer: { id: "pay_1", balance: "9007199254740993" } },
    });
    const sent = harness.server.last();
    expect([sent.method, sent.target]).toEqual(["POST", "/v1/payments"]);
    expect(JSON.parse(sent.body.toString("utf8"))).toEqual({ amount: 1250, note: "Invoice 7" });
    expect(headerOf(sent, "authorization")).toEqual([`Bearer ${token}`]);
    expect(headerOf(sent, "idempotency-key")).toEqual([run.steps[1]?.attempts[0]?.idempotencyKey]);
  });

  test.each<[string, string, Buffer]>([
    ["ISO-8859-1", "application/json;charset=ISO-8859-1", Buffer.from('{"payee":"Müller"}', "latin1")],
    ["UTF-16", "application/json; charset=utf-16", Buffer.from('\ufeff{"payee":"Müller"}', "utf16le")],
    ["a vendor's type", "application/vnd.ledger.payment.v1.json", Buffer.from('{"payee":"Müller"}')],
  ])("completes with a response in %s, called once", async (_name, contentType, body) => {
    const harness = await connected();
    harness.server.answers = [{ status: 201, headers: { "content-type": contentType }, body }];
    expect(await harness.run(pay())).toMatchObject({ status: "completed", output: { answer: { payee: "Müller" } } });
    expect(harness.server.requests).toHaveLength(1);
  });

  test("is sent with the connection's own headers as of its approval", async () => {
    const harness = await connected({ headers: { "Stripe-Account": "acct_1" } });
    harness.server.answers = [{ status: 201, headers: json, body: "{}" }];
    const run = await harness.run(pay({ guards: [{ check: "args.amount < 5", otherwise: "review" }] }));
    expect(run.status).toBe("awaiting_review");
    const [connection] = (await harness.engine.connections.list({ ...sandbox, limit: 10 })).items;
    const connectionId = connection?.connectionId ?? "";
    const settings = { headers: { "Stripe-Account": "acct_2" } };
    await harness.engine.connections.update({ ...sandbox, connectionId, settings, by: { person: "ana" } });
    const [review] = await harness.engine.reviews.ofRun({ ...sandbox, runId: run.runId });
    expect(review?.kind).toBe("guard");
    const { call, operation } = await harness.engine.reviews.get({ ...sandbox, reviewId: review?.reviewId ?? "" });
    expect(call).toMatchObject({ connection: "ledger", action: "pay.now", effect: "once" });
    expect(operation).toMatchObject({ method: "POST", path: "/payments", baseUrl: `${harness.server.origin}/v1` });
    await harness.engine.reviews.decide({
      ...sandbox,
      runId: run.runId,
      approved: true,
      idempotencyKey: "7f0f4c66-3c3f-4ae5-8f3e-0f5a1c1d2b3e",
      by: { person: "bo" },
    });
    await harness.engine.runs.wait({ ...sandbox, runId: run.runId });
    expect(headerOf(harness.server.last(), "stripe-account")).toEqual(["acct_1"]);
    await harness.run(callDocument("health", {}));
    expect(headerOf(harness.server.last(), "stripe-account")).toEqual(["acct_2"]);
  });

  test("has its request and response in the record, without a secret", async () => {
    const harness = await connected();
    harness.server.answers = [
      { status: 200, headers: { ...json, "x-echo": token }, body: JSON.stringify({ echo: token }) },
    ];
    const run = await harness.run(pay());
    const exchange = run.steps[1]?.attempts[0]?.exchange;
    expect(exchange?.request).toMatchObject({
      method: "POST",
      url: `${harness.server.origin}/v1/payments`,
      body: { amount: 1250, note: "Invoice 7" },
    });
    expect(exchange?.response).toMatchObject({ status: 200, headers: { "x-echo": "[redacted]" } });
    expect(run.output).toEqual({ answer: { echo: "[redacted]" } });
    expect(JSON.stringify(run)).not.toContain(token);
  });

  test.each([
    ["JSON that was cut off", '{"paid":true,"id":"pay_', "is not valid JSON"],
    ["a member __proto__", '{"id":"pay_1","__proto__":{"paid":false}}', 'holds a member "__proto__"'],
  ])(
    "that answers with %s has done its work: it is not made again, and a person is asked",
    async (_name, body, why) => {
      for (const onUnknownOutcome of ["review", "retry"]) {
        const harness = await connected();
        harness.server.answers = [{ status: 201, headers: json, body }];
        const run = await harness.run(pay({ onUnknownOutcome }));
        expect(run).toMatchObject({ status: "awaiting_review" });
        const [review] = await harness.engine.reviews.ofRun({ ...sandbox, runId: run.runId });
        expect(review).toMatchObject({ kind: "outcome_unknown" });
        expect(review?.data).toMatchObject({ reason: expect.stringContaining(why) as string });
        expect(harness.server.requests).toHaveLength(1);
      }
    },
  );

  test("takes its error branch when it is refused, and the status and body are recorded", async () => {
    const harness = await connected();
    harness.server.answers = [{ status: 422, headers: json, body: '{"code":"no_funds"}' }];
    const run = await harness.run(pay());
    expect(run.status).toBe("completed");
    expect(run.output?.["error"]).toMatch(/"pay\.now" was answered with 422/);
    const [, step] = run.steps;
    expect(step?.attempts).toHaveLength(1);
    expect(step?.attempts[0]?.exchange?.response).toMatchObject({ status: 422, body: { code: "no_funds" } });
  });

  test("is repeated under the same key after 429, no sooner than `Retry-After`", async () => {
    const harness = await connected();
    harness.server.answers = [
      { status: 429, headers: { "retry-after": "3" } },
      { status: 200, headers: json, body: '{"id":"pay_1"}' },
    ];
    const run = await harness.run(pay());
    expect(run).toMatchObject({ status: "completed", output: { answer: { id: "pay_1" } } });
    const keys = harness.server.requests.map((request) => headerOf(request, "idempotency-key"));
    expect(keys).toHaveLength(2);
    expect(keys[0]).toEqual(keys[1]);
    const [first, second] = run.steps[1]?.attempts ?? [];
    expect((second?.startedAtMs ?? 0) - (first?.endedAtMs ?? 0)).toBeGreaterThanOrEqual(3_000);
  });

  test("opens a review when a payment may have been executed, and is not repeated", async () => {
    const harness = await connected();
    harness.server.answers = [{ status: 502 }];
    expect((await harness.run(pay())).status).toBe("awaiting_review");
    expect(harness.server.requests).toHaveLength(1);
  });

  test("is repeated after 500 when its effect is declared idempotent", async () => {
    const harness = await connected({ effects: { "pay.now": "idempotent" } });
    harness.server.answers = [{ status: 500 }, { status: 500 }, { status: 200, headers: json, body: "{}" }];
    expect((await harness.run(pay())).status).toBe("completed");
    expect(new Set(harness.server.requests.flatMap((request) => headerOf(request, "idempotency-key"))).size).toBe(1);
    expect(harness.server.requests).toHaveLength(3);
  });

  test("takes its error branch, and sends nothing, when HTTP cannot carry an argument", async () => {
    const harness = await connected();
    const run = await harness.run(callDocument("list_vendors", { q: "x", api_key: "k", "X-Key": "a\r\nX-Evil: 1" }));
    expect(run.output?.["error"]).toMatch(/"X-Key".*line break/);
    expect(run.steps[1]?.attempts).toHaveLength(1);
    expect(harness.server.requests).toEqual([]);
  });
});

describe("publishing", () => {
  test("finds arguments that cannot match the document's schema", async () => {
    const harness = await connected();
    const wrong = callDocument("pay.now", { amount: "much", colour: "red" });
    await expect(harness.run(wrong)).rejects.toMatchObject({ code: "invalid_document" });
    await expect(harness.run(callDocument("pay.later", {}))).rejects.toMatchObject({ code: "invalid_document" });
  });
});

describe("a document whose server has changed", () => {
  test("receives neither calls nor credentials until the address is confirmed (O-03)", async () => {
    const harness = await connected();
    const other = await ledgerEngine();
    const { engine } = harness;
    const [connection] = (await engine.connections.list({ environment: "sandbox", limit: 10 })).items;
    const place = {
      environment: "sandbox",
      connectionId: connection?.connectionId ?? "",
      by: { person: "ana" },
    } as const;
    const moved = { text: ledgerDocument(`${other.server.origin}/v2`) };
    const updated = await engine.connections.update({ ...place, settings: { spec: moved } });
    expect(updated.health.status).toBe("unconfirmed");
    const withheld = await harness.run(callDocument("health", {}));
    expect(withheld.output?.["error"]).toMatch(/confirm|base URL|baseUrl/i);
    expect((await engine.connections.test(place)).ok).toBe(false);
    expect([...harness.server.requests, ...other.server.requests]).toEqual([]);

    await engine.connections.update({ ...place, settings: { baseUrl: `${other.server.origin}/v2` } });
    await harness.run(callDocument("health", {}));
    expect(other.server.last().target).toBe("/v2/health");
    expect(harness.server.requests).toEqual([]);
  });
});

test("the same name in the other environment is a separate connection with its own address and secret", async () => {
  const harness = await connected();
  const other = await ledgerEngine();
  const spec = { text: ledgerDocument(`${other.server.origin}/v1`) };
  const settings = { spec, authentication: { method: "bearer_token" } };
  const live = { environment: "live", name: "ledger", integration: "custom_api", by: { person: "ana" } } as const;
  await harness.engine.connections.create({ ...live, settings, secrets: { token: "live-token-1" } });
  const document = callDocument("health", {});
  const request = { document, version: "both", defaultIn: ["sandbox", "live"], by: { person: "ana" } } as const;
  await harness.engine.procedures.publish(request);
  for (const environment of ["sandbox", "live"] as const) {
    await harness.engine.runs.execute({ procedureId: "p", environment, data: {}, by: { person: "ana" } });
  }
  expect(headerOf(harness.server.last(), "authorization")).toEqual([`Bearer ${token}`]);
  expect(headerOf(other.server.last(), "authorization")).toEqual(["Bearer live-token-1"]);
});
