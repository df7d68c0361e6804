import { randomUUID } from "node:crypto";
import { defineProcedure, z } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { createHarness, documents, type Harness } from "./harness.ts";
import { documentText } from "./listed-api.ts";

async function waitingRun(options: { readonly reviewer?: string } = {}) {
  const harness = await createHarness();
  const starter = await harness.key(["run"], "sandbox", "sam");
  const key = await harness.key(["review"], "sandbox", options.reviewer ?? "rita");
  const runId = await harness.run("ask", starter);
  await harness.settled(runId);
  const decide = (body: unknown, run = runId, as = key) =>
    harness.ask(`POST /api/runner-proxy/review/${run}`, { key: as, body });
  return { harness, starter, key, runId, decide };
}

const read = async (harness: Harness, runId: string, key: string) =>
  (await harness.ask(`GET /runs/${runId}`, { key })).body;

describe("POST /api/runner-proxy/review/:runId", () => {
  test("an approval answers success, and the run continues with its outputs", async () => {
    const { harness, key, runId, decide } = await waitingRun();
    const outputs = { note: "fine" };
    const answer = await decide({ approved: true, outputs, idempotencyKey: randomUUID() });
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual({ success: true });
    await harness.ended(runId);
    expect(await read(harness, runId, key)).toMatchObject({ status: "completed", output: { decision: outputs } });
  });

  test("a rejection fails the run with its reason", async () => {
    const { harness, key, runId, decide } = await waitingRun();
    const rejection = { approved: false, rejectionReason: "too much", idempotencyKey: randomUUID() };
    expect((await decide(rejection)).body).toEqual({ success: true });
    await harness.ended(runId);
    expect(await read(harness, runId, key)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("too much"),
    });
  });

  test.each([
    ["a rejection without a reason", { approved: false, idempotencyKey: randomUUID() }, "/rejectionReason"],
    [
      "a rejection with a blank reason",
      { approved: false, rejectionReason: " ", idempotencyKey: randomUUID() },
      "/rejectionReason",
    ],
    ["a key that is not a UUID", { approved: true, idempotencyKey: "abc" }, "/idempotencyKey"],
    [
      "a key of another version",
      { approved: true, idempotencyKey: "5f0c3c1e-8b5e-1d0e-9c46-0d8f5a3f7a11" },
      "/idempotencyKey",
    ],
    ["no key", { approved: true }, "/idempotencyKey"],
  ])("%s is a 422", async (_what, body, path) => {
    const { decide } = await waitingRun();
    expect(await decide(body)).toMatchObject({ status: 422, body: { code: "invalid_decision", details: [{ path }] } });
  });

  test.each([
    ["approved is missing", { idempotencyKey: randomUUID() }, "malformed_request"],
    ["approved is a text", { approved: "true", idempotencyKey: randomUUID() }, "malformed_request"],
    ["an unknown field", { approved: true, idempotencyKey: randomUUID(), action: "pay" }, "unknown_field"],
    ["a list", [true], "malformed_request"],
  ])("%s: 400", async (_what, body, code) => {
    const { decide } = await waitingRun();
    expect(await decide(body)).toMatchObject({ status: 400, body: { code } });
  });

  test("outputs that violate the node's schema are a 422", async () => {
    const { decide } = await waitingRun();
    const answer = await decide({ approved: true, outputs: [1], idempotencyKey: randomUUID() });
    expect([400, 422]).toContain(answer.status);
  });

  test("an approval without the required outputs is a 422 that names them; with them the run continues", async () => {
    const { harness, key, starter, decide } = await waitingRun();
    const ask = documents.ask;
    const nodes = ask.nodes.map((node) =>
      node.kind === "human_review" ? { ...node, outputs: { type: "object", required: ["note"] } } : node,
    );
    const document = { ...ask, procedureId: "note", nodes };
    await harness.engine.procedures.publish({ document, version: "v1", by: { person: "olga" } });
    const runId = await harness.run("note", starter);
    await harness.settled(runId);
    expect(await decide({ approved: true, idempotencyKey: randomUUID() }, runId)).toMatchObject({
      status: 422,
      body: { code: "invalid_decision", details: [{ path: expect.stringMatching(/^\/outputs/) }] },
    });
    expect(await read(harness, runId, key)).toMatchObject({ status: "awaiting_review" });
    const outputs = { note: "seen" };
    expect((await decide({ approved: true, outputs, idempotencyKey: randomUUID() }, runId)).status).toBe(200);
  });

  test("a missing run, a run without reviews, and one of the other environment are 404", async () => {
    const { harness, starter, decide } = await waitingRun();
    const echo = await harness.run("echo", starter);
    const live = await harness.run("ask", await harness.key(["run"], "live"), "live");
    for (const run of ["run_none", echo, live]) {
      const answer = await decide({ approved: true, idempotencyKey: randomUUID() }, run);
      expect(answer).toMatchObject({ status: 404, body: { code: "review_not_found" } });
    }
  });

  test("a second decision is a 409, by any person", async () => {
    const { harness, decide, runId } = await waitingRun();
    await decide({ approved: true, idempotencyKey: randomUUID() });
    const other = await harness.key(["review"], "sandbox", "ronald");
    for (const as of [undefined, other]) {
      const answer = await decide({ approved: true, idempotencyKey: randomUUID() }, runId, as);
      expect(answer).toMatchObject({ status: 409, body: { code: "already_decided" } });
    }
  });

  test("the same idempotencyKey returns the original decision, with any body", async () => {
    const { harness, key, runId, decide } = await waitingRun();
    const idempotencyKey = randomUUID();
    const first = await decide({ approved: true, idempotencyKey });
    const others = [
      { approved: true, idempotencyKey },
      { approved: false, idempotencyKey },
      { approved: "yes", idempotencyKey: idempotencyKey.toUpperCase(), extra: 1 },
    ];
    for (const body of others) {
      const again = await decide(body);
      expect([again.status, again.body]).toEqual([first.status, first.body]);
    }
    await harness.ended(runId);
    expect(await read(harness, runId, key)).toMatchObject({ status: "completed" });
  });

  test("the same idempotencyKey for another run is a 422", async () => {
    const { harness, starter, decide } = await waitingRun();
    const idempotencyKey = randomUUID();
    await decide({ approved: true, idempotencyKey });
    const other = await harness.run("ask", starter);
    await harness.settled(other);
    expect(await decide({ approved: true, idempotencyKey }, other)).toMatchObject({
      status: 422,
      body: { code: "idempotency_key_reused" },
    });
  });

  test("a decision on content that is no longer open is a 412 by its digest and a 404 by its review", async () => {
    const { decide } = await waitingRun();
    const byDigest = await decide({ approved: true, idempotencyKey: randomUUID(), reviewDigest: "seen-before" });
    expect(byDigest).toMatchObject({ status: 412, body: { code: "review_digest_mismatch" } });
    const byReview = await decide({ approved: true, idempotencyKey: randomUUID(), reviewId: "rev_none" });
    expect(byReview).toMatchObject({ status: 404, body: { code: "review_not_found" } });
  });

  test("50 decisions at once: one is recorded, and all others are refused as decided", async () => {
    const { harness, runId, decide } = await waitingRun();
    const keys = await Promise.all(
      Array.from({ length: 50 }, (_, n) => harness.key(["review"], "sandbox", `person ${n}`)),
    );
    const answers = await Promise.all(
      keys.map((as, n) =>
        decide({ approved: n % 2 === 0, rejectionReason: "no", idempotencyKey: randomUUID() }, runId, as),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
  });
});

describe("GET /api/v1/reviews", () => {
  test("lists open reviews, oldest first, with filters; a single review is complete", async () => {
    const { harness, starter, key, runId, decide } = await waitingRun();
    const later = await harness.run("ask", starter);
    await harness.settled(later);
    const open = await harness.ask("GET /api/v1/reviews?status=open&procedureId=ask", { key });
    const [first, second] = open.body["data"] as { reviewId: string; runId: string }[];
    expect([first?.runId, second?.runId]).toEqual([runId, later]);
    await decide({ approved: true, idempotencyKey: randomUUID() });
    expect((await harness.ask("GET /api/v1/reviews?status=open", { key })).body["data"]).toHaveLength(1);
    expect((await harness.ask("GET /api/v1/reviews?procedureId=echo", { key })).body["data"]).toEqual([]);
    const review = await harness.ask(`GET /api/v1/reviews/${first?.reviewId ?? ""}`, { key });
    expect(review.body).toEqual({
      reviewId: first?.reviewId,
      runId,
      procedureId: "ask",
      procedureVersion: "v1",
      environment: "sandbox",
      startedBy: "sam",
      nodeId: "approve",
      kind: "human_review",
      status: "approved",
      title: "Pay 5?",
      digest: expect.any(String),
      reviewers: { roles: [], people: [] },
      excludesStarter: false,
      excludesApproversOf: [],
      approvalsNeeded: 1,
      approvalsGiven: 1,
      mayDecide: { allowed: false, reason: "This review was approved." },
      requestedAt: expect.any(String),
      closedAt: expect.any(String),
      data: { amount: 5 },
      outputsSchema: true,
      decisions: [
        {
          decisionId: expect.stringMatching(/^dec_/),
          person: "rita",
          via: expect.stringMatching(/^key_/),
          approved: true,
          digest: expect.any(String),
          decidedAt: expect.any(String),
        },
      ],
    });
  });

  test("states whether the caller may decide, with the reason by which a decision is refused", async () => {
    const { harness, starter, key } = await waitingRun();
    const nodes = documents.ask.nodes.map((node) =>
      node.kind === "human_review"
        ? { ...node, reviewers: { roles: ["treasury"], people: ["Rita"] }, excludeStarter: true }
        : node,
    );
    const document = { ...documents.ask, procedureId: "exclusive", nodes };
    await harness.engine.procedures.publish({ document, version: "v1", by: { person: "olga" } });
    const runId = await harness.run("exclusive", starter);
    await harness.settled(runId);
    const [review] = await harness.engine.reviews.ofRun({ environment: "sandbox", runId });
    const reviewId = review?.reviewId ?? "";
    const reviewerKey = (person: string) => harness.key(["review"], "sandbox", person);
    const expected: readonly (readonly [key: string, mayDecide: object])[] = [
      [key, { allowed: true }],
      [starter, { allowed: false, reason: expect.stringContaining('permission "review"') }],
      [
        await reviewerKey("SAM"),
        { allowed: false, reason: "The person who started the run may not decide this review." },
      ],
      [await reviewerKey("uma"), { allowed: false, reason: expect.stringContaining('role "treasury"') }],
    ];
    for (const [as, mayDecide] of expected) {
      const shown = await harness.ask(`GET /api/v1/reviews/${reviewId}`, { key: as });
      expect(shown.body).toMatchObject({ excludesStarter: true, startedBy: "sam", procedureVersion: "v1", mayDecide });
      const { body } = await harness.ask("GET /api/v1/reviews?procedureId=exclusive", { key: as });
      expect(body["data"]).toMatchObject([{ reviewId, mayDecide }]);
    }
  });

  test("filters by the right to decide, by kind and by the time of closing, and orders by expiry", async () => {
    const { harness, starter, key, runId, decide } = await waitingRun();
    const soon = { ...documents.ask, procedureId: "soon" };
    const nodes = soon.nodes.map((node) =>
      node.kind === "human_review"
        ? { ...node, reviewers: { roles: ["treasury"], people: [] }, expiresAfter: "PT1H" }
        : node,
    );
    await harness.engine.procedures.publish({ document: { ...soon, nodes }, version: "v1", by: { person: "olga" } });
    const expiring = await harness.run("soon", starter);
    await harness.settled(expiring);
    const runsOf = async (query: string) => {
      const { status, body } = await harness.ask(`GET /api/v1/reviews?${query}`, { key });
      expect(status).toBe(200);
      return (body["data"] as { runId: string }[]).map((review) => review.runId);
    };
    expect(await runsOf("status=open")).toEqual([runId, expiring]);
    expect(await runsOf("status=open&order=expires")).toEqual([expiring, runId]);
    expect(await runsOf("decidable=true")).toEqual([runId]);
    expect(await runsOf("kind=human_review")).toEqual([runId, expiring]);
    expect(await runsOf("kind=guard")).toEqual([]);
    const before = new Date(0).toISOString();
    expect(await runsOf(`closedFrom=${before}`)).toEqual([]);
    await decide({ approved: true, idempotencyKey: randomUUID() });
    expect(await runsOf(`closedFrom=${before}`)).toEqual([runId]);
    expect(await runsOf("decidable=true")).toEqual([]);
  });

  test("shows the call that an approval sends, with its server while it can be sent", async () => {
    const { harness, starter, key } = await waitingRun();
    const spec = { text: documentText({ server: "http://127.0.0.77:8099/v2/" }) };
    const place = { environment: "sandbox", by: { person: "olga" } } as const;
    const ledger = { ...place, name: "ledger", integration: "custom_api", settings: { spec } };
    const { connectionId } = await harness.engine.connections.create(ledger);
    const guards = [{ check: "false", otherwise: "review" as const }];
    const document = defineProcedure({
      procedureId: "guarded",
      name: "Guarded",
      input: z.looseObject({}),
      nodes: {
        start: { kind: "start", next: "pay" },
        pay: {
          kind: "tool_call",
          connection: "ledger",
          action: "pay",
          arguments: { to: "acme" },
          guards,
          next: "done",
        },
        done: { kind: "end", output: {} },
      },
    });
    await harness.engine.procedures.publish({ document, version: "v1", by: { person: "olga" } });
    const runId = await harness.run("guarded", starter);
    await harness.settled(runId);
    const { body } = await harness.ask("GET /api/v1/reviews?procedureId=guarded", { key });
    const names = { connection: "ledger", action: "pay", effect: "once" };
    const [listed] = body["data"] as { reviewId: string; call: object }[];
    expect(listed?.call).toEqual(names);
    const read = async () => (await harness.ask(`GET /api/v1/reviews/${listed?.reviewId ?? ""}`, { key })).body["call"];
    const call = { ...names, arguments: { to: "acme" }, nodeId: "pay", actionRevision: "pay" };
    expect(await read()).toEqual({ ...call, method: "POST", path: "/v2/pay", origin: "http://127.0.0.77:8099" });
    await harness.engine.connections.remove({ ...place, connectionId, force: true });
    await harness.engine.connections.create(ledger);
    expect(await read()).toEqual(call);
  });

  test("records the address of a decision as reported by the platform, not by a header", async () => {
    const { harness, key, runId } = await waitingRun();
    await harness.ask(`POST /api/runner-proxy/review/${runId}`, {
      key,
      body: { approved: true, idempotencyKey: randomUUID() },
      address: "192.0.2.7",
      headers: { "x-forwarded-for": "198.51.100.9" },
    });
    const [review] = await harness.engine.reviews.ofRun({ environment: "sandbox", runId });
    expect(review?.decisions[0]?.address).toBe("192.0.2.7");
  });

  test("a missing review is a 404; an unknown filter a 400", async () => {
    const { harness, key } = await waitingRun();
    expect(await harness.ask("GET /api/v1/reviews/rev_none", { key })).toMatchObject({
      status: 404,
      body: { code: "review_not_found" },
    });
    expect((await harness.ask("GET /api/v1/reviews?person=rita", { key })).status).toBe(400);
  });
});
