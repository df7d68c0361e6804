import { describe, expect, it } from "vitest";
import type { ConformanceOptions } from "./harness.ts";
import { startMs, useHarness } from "./harness.ts";
import { codeOf } from "./pages.ts";
import {
  commitAll,
  committed,
  decision,
  event,
  firstRow,
  post,
  record,
  review,
  row,
  sandbox,
  session,
  version,
} from "./samples.ts";
import { audit } from "./samples.ts";
import { claimOne, incoming, put, starting, take, trigger } from "./trigger-samples.ts";

const odd: readonly (readonly [name: string, text: string])[] = [
  ["control characters", "a\u0001b\u007f\u0085"],
  ["four-byte characters", "👩‍👩‍👧 𝄞"],
  ["right-to-left marks", "\u202eabc\u202c"],
  ["the replacement character", "\ufffd\uffff"],
  ["line breaks", "a\r\nb\u2028c"],
  ["names of prototypes", "__proto__"],
  ["SQL", "'); DROP TABLE runs; --"],
  ["a JSON path", "a')--$.b[0]"],
  ["a template", "{{7*7}} ${1} %s ?1 :a"],
  ["64 kB", "é".repeat(65_536)],
];

export function describeValues(options: ConformanceOptions): void {
  describe("values", () => {
    const harness = useHarness(options);

    it.each(odd)("are returned unchanged: %s", async (_name, text) => {
      const { runs, inbox, reviews, records, procedures, sessions } = harness().storage;
      const hook = record(text, { kind: "webhook", body: text, keys: ["acme/sandbox/run_completed"] });
      await records.put({ record: { ...hook, uniqueKeys: [text] }, ifRevision: 0, audit: audit(1) });
      const item = firstRow(text, {
        hash: text,
        body: text,
        openReview: review(text, { title: text, body: text, effectKey: text }),
        events: [event(text, { data: text })],
        create: {
          startedBy: text,
          reference: text,
          procedureId: text,
          procedureVersion: text,
          idempotency: { key: text, digest: text, expiresAtMs: startMs + 1 },
        },
      });
      expect(await runs.commit(item)).toEqual(committed);
      expect(await runs.get({ scope: sandbox, runId: text })).toMatchObject({
        runId: text,
        startedBy: text,
        reference: text,
        procedureId: text,
        procedureVersion: text,
      });
      const holder = { runId: text, digest: text, procedureVersion: text, startedBy: text };
      expect(await runs.findByKey({ scope: sandbox, procedureId: text, idempotencyKey: text })).toEqual(holder);
      expect(await runs.journal({ scope: sandbox, runId: text })).toEqual([{ seq: 1, hash: text, body: text }]);
      await inbox.post([post(text, "key", { body: text })]);
      expect(await inbox.read({ scope: sandbox, runId: text })).toEqual([{ effectKey: "key", body: text }]);
      const decided = decision(text, text, { person: text, body: text, idempotencyKey: text, approvalsNeeded: 2 });
      expect(await reviews.decide(decided)).toMatchObject({ status: "recorded" });
      expect(await reviews.decide(decided)).toEqual({ status: "replayed", body: text });
      expect(await reviews.get({ scope: sandbox, reviewId: text })).toMatchObject({
        title: text,
        reference: text,
        decisions: [text],
      });
      expect(await records.find({ kind: "webhook", uniqueKey: text })).toMatchObject({ id: text, body: text });
      const published = version(text, { procedureId: text, name: text, document: text });
      await procedures.publish({ version: published, defaultIn: [], defaultIfFirst: "live", audit: audit(2) });
      expect(await procedures.version({ workspace: "acme", procedureId: text, version: text })).toEqual(published);
      await sessions.create(session(text, { digest: text, personId: text, userAgent: text, address: text }));
      const found = { digest: text, sessionId: text, personId: text, userAgent: text, address: text };
      expect(await sessions.find({ digest: text })).toMatchObject(found);
      const then = { kind: "ended", status: "failed", error: text, endedAtMs: startMs } as const;
      expect(await runs.commit(row(text, 2, { consume: ["key"], then }))).toEqual(committed);
      expect((await runs.get({ scope: sandbox, runId: text }))?.error).toBe(text);
    });

    it.each(odd)("of events and firings are returned unchanged: %s", async (_name, text) => {
      const { storage } = harness();
      const { triggers, runs } = storage;
      await put(storage, trigger(text, {}, { keys: [text] }));
      const one = incoming(text, {
        ...{ keys: [text], type: text, digest: text, body: text, headers: text, dedupeKey: text },
      });
      expect(await take(storage, [one, one], { source: text })).toEqual([
        { status: "taken", firings: 1 },
        { status: "known" },
      ]);
      const facts = { id: text, type: text, digest: text };
      const content = { body: text, headers: text };
      const first = await claimOne(storage);
      expect(first).toMatchObject({ triggerId: text, event: { ...facts, content } });
      const next = { status: "failed", reason: text, error: text } as const;
      expect(await triggers.settle([{ ...first, next }])).toEqual(["settled"]);
      expect(await triggers.get(first)).toMatchObject({ reason: text, error: text, event: facts, content });
      const firings = [{ dedupeKey: text, requestedBy: text, refireOf: first.firingId }];
      await triggers.add({ scope: sandbox, triggerId: text, firings });
      const again = await claimOne(storage);
      expect(again).toMatchObject({ requestedBy: text });
      const started = starting(again, "run-1");
      const create = { ...started.create, trigger: { triggerId: text, body: text } };
      expect(await runs.commit(firstRow("run-1", { create }))).toEqual(committed);
      expect((await runs.list({ scope: sandbox, triggerId: text, limit: 9 })).items).toMatchObject([{ trigger: text }]);
    });

    it("are distinguished up to the last character", async () => {
      const { runs } = harness().storage;
      const ids = ["run", "run\u0001", "run\u0001a", "Run", "run ", "rún", "ru\u0301n"];
      await commitAll(
        runs,
        ids.map((id) => firstRow(id)),
      );
      for (const runId of ids) expect(await runs.get({ scope: sandbox, runId })).toMatchObject({ runId });
    });

    it("may be large", async () => {
      const { runs, inbox } = harness().storage;
      const body = JSON.stringify({ text: "0123456789abcdé".repeat(524_288) });
      expect(Buffer.byteLength(body)).toBeGreaterThan(8 * 1024 * 1024);
      const results = await commitAll(runs, [firstRow("large", { body }), firstRow("small")]);
      expect(results).toEqual([committed, committed]);
      expect((await runs.journal({ scope: sandbox, runId: "large" }))[0]?.body === body).toBe(true);
      await inbox.post([post("small", "large", { body })]);
      expect((await inbox.read({ scope: sandbox, runId: "small" }))[0]?.body === body).toBe(true);
    });

    it.each([
      ["NUL", "a\u0000b"],
      ["half of a surrogate pair", "cut \ud83d"],
    ])("are refused when a database could not store them: %s", async (_name, text) => {
      const { inbox, reviews, records, procedures, runs, sessions } = harness().storage;
      await runs.commit(firstRow("run-1", { openReview: review("review-1") }));
      const calls = [
        inbox.post([post("run-1", "key", { body: text })]),
        runs.findByKey({ scope: sandbox, procedureId: "pay", idempotencyKey: text }),
        reviews.decide(decision("run-1", "review-1", { body: text })),
        records.put({ record: record("a", { body: text }), ifRevision: 0 }),
        records.put({ record: record("a", { keys: [text] }), ifRevision: 0 }),
        sessions.create(session("a", { userAgent: text })),
        sessions.noteFailure({ key: text, atMs: startMs }),
        procedures.publish({
          version: version("v1", { name: text }),
          defaultIn: [],
          defaultIfFirst: "live",
          audit: audit(1),
        }),
      ];
      for (const call of calls) expect(await codeOf(call)).toBe("invalid_input");
      expect(await inbox.read({ scope: sandbox, runId: "run-1" })).toEqual([]);
      expect(await records.get(record("a"))).toBeUndefined();
    });
  });
}
