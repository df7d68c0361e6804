import type { JsonObject, JsonValue } from "@procedo/contract";
import type { Entry } from "@procedo/procedure";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { callKey } from "./effect-keys.ts";
import { createRowCodec } from "./row-codec.ts";
import { jsonValue, long } from "./random-json.fixture.ts";

const runId = "run_1";
const facts = { runId, procedureId: "p", procedureVersion: "v1", environment: "sandbox", startedBy: "ann" } as const;

function started(input: JsonValue, atMs = 0): Entry {
  return { type: "started", atMs, input, facts: { ...facts, createdAt: new Date(atMs).toISOString() } };
}

function intent(args: JsonObject, numbers: Partial<{ visit: number; call: number; attempt: number }> = {}): Entry {
  const { visit = 1, call = 1, attempt = 1 } = numbers;
  return {
    type: "intent",
    atMs: 5,
    nodeId: "a",
    visit,
    call,
    attempt,
    key: callKey(runId, "a", visit, call),
    frozen: { connection: "c", connectionId: "con_1", action: "x", revision: "r", effect: "once", args },
    sendByMs: 5_005,
    timeoutMs: 60_000,
  };
}

function ok(output: JsonValue): Entry {
  return { type: "outcome", atMs: 6, nodeId: "a", visit: 1, call: 1, attempt: 1, result: { status: "ok", output } };
}

function asked(data: JsonObject, args?: JsonObject): Entry {
  const call = {
    connection: "c",
    connectionId: "con_1",
    action: "x",
    revision: "r",
    effect: "once",
    nodeId: "b",
    digest: "d",
  } as const;
  return {
    type: "review_opened",
    atMs: 7,
    nodeId: "r",
    visit: 2,
    review: {
      reviewId: "rev_1",
      kind: "human_review",
      title: "Pay?",
      data,
      digest: "g",
      effectKey: "review:rev_1",
      rules: { roles: ["reviewer"], people: [], approvals: 1, outputs: true },
      ...(args === undefined ? {} : { call: { ...call, args } }),
    },
  };
}

/** The decoded rows as text: the order of members matters, because digests depend on it. */
function throughText(rows: readonly (readonly Entry[])[]): {
  readonly bodies: readonly string[];
  readonly read: string;
} {
  const writer = createRowCodec(runId);
  const bodies = rows.map((entries, index) => writer.encode(index + 1, entries));
  const reader = createRowCodec(runId);
  return { bodies, read: JSON.stringify(bodies.map((body, index) => valuesOf(reader.decode(index + 1, body)))) };
}

/** The values of entries, for comparing with the order of their members. */
function valuesOf(entries: readonly Entry[]): readonly unknown[] {
  return entries.map((entry) => {
    switch (entry.type) {
      case "started":
        return entry.input;
      case "intent":
        return entry.frozen.args;
      case "outcome":
      case "ended":
        return entry.result;
      case "review_opened":
        return [entry.review.data, entry.review.call?.args];
      case "review_closed":
        return entry.answer;
      case "emitted":
        return entry.payload;
      default:
        return entry;
    }
  });
}

function roundTrip(rows: readonly (readonly Entry[])[]): readonly (readonly Entry[])[] {
  const writer = createRowCodec(runId);
  const reader = createRowCodec(runId);
  return rows.map((entries, index) => reader.decode(index + 1, writer.encode(index + 1, entries)));
}

describe("a row", () => {
  test("decodes every kind of entry as it was encoded", () => {
    const decisions = [
      { decisionId: "dec_1", person: "bob", via: "key", approved: true, atMs: 8, address: "192.0.2.1", digest: "g" },
    ];
    const rows: readonly (readonly Entry[])[] = [
      [started({ n: 1 }), { type: "branch_taken", atMs: 1, nodeId: "c", visit: 1, branch: "yes" }],
      [intent({ n: 1 }), { ...intent({ n: 2 }, { visit: 3, call: 2, attempt: 4 }), approvedDigest: "d" } as Entry],
      [
        { ...intent({ n: 1 }), sendByMs: 9, timeoutMs: 10 } as Entry,
        {
          type: "outcome",
          atMs: 6,
          nodeId: "a",
          visit: 2,
          call: 1,
          attempt: 3,
          result: { status: "error", error: { message: "no", code: "limit", details: [1] } },
          retryAtMs: 9,
        },
        {
          type: "outcome",
          atMs: 6,
          nodeId: "a",
          visit: 1,
          call: 1,
          attempt: 1,
          result: { status: "unknown", reason: "?" },
          late: true,
        },
        ok(null),
      ],
      [{ type: "recovered", atMs: 2, workerId: "w", epoch: 3 }, asked({ a: 1 }), asked({ a: 1 }, { b: 2 })],
      [
        {
          type: "review_closed",
          atMs: 8,
          reviewId: "rev_1",
          answer: { status: "approved", outputs: { x: 1 }, decisions },
        },
        { type: "review_closed", atMs: 8, reviewId: "rev_1", answer: { status: "rejected", reason: "no", decisions } },
        { type: "review_closed", atMs: 8, reviewId: "rev_1", answer: { status: "expired", decisions: [] } },
        { type: "review_closed", atMs: 8, reviewId: "rev_1", answer: { status: "settled" } },
      ],
      [
        { type: "node_failed", atMs: 9, nodeId: "a", kind: "tool_call", visit: 1, error: { message: "no" } },
        { type: "emitted", atMs: 9, nodeId: "a", visit: 1, event: "custom.x", payload: { y: 1 } },
        { type: "cancel_requested", atMs: 9, by: "ann", reason: "why" },
        { type: "superseded", atMs: 9, effectKey: "cancel", body: { z: [1] } },
        { type: "ended", atMs: 9, nodeId: "done", result: { status: "completed", output: { o: 1 } } },
      ],
      [{ type: "ended", atMs: 9, result: { status: "failed", error: "no" } }],
    ];
    expect(roundTrip(rows)).toEqual(rows);
  });

  test("keeps unusual facts: another creation time, other deadlines", () => {
    const odd = [
      [{ ...started(1), facts: { ...facts, createdAt: "2026-01-01T00:00:00.000Z" } } as Entry],
      [{ ...intent({}), sendByMs: 1, timeoutMs: 2 } as Entry],
    ];
    expect(roundTrip(odd)).toEqual(odd);
  });

  test("keeps unusual names of members", () => {
    const odd = JSON.parse(
      `{"__proto__":{"x":"${long}"},"a/b~c":{"~1":"${long}!"},"":["${long}?"],"constructor":1,"2":1,"1":2,"toString":null}`,
    ) as JsonObject;
    const rows = [
      [started(odd)],
      [intent({ whole: odd, part: odd["a/b~c"] ?? null, proto: odd["__proto__"] ?? null, "x/y~z": odd })],
      [ok(odd)],
    ];
    const { read } = throughText(rows);
    expect(read).toBe(JSON.stringify(rows.map(valuesOf)));
    expect(({} as { x?: string }).x).toBeUndefined();
  });
});

describe("a repeated value", () => {
  const order = {
    id: "ord_1",
    lines: Array.from({ length: 40 }, (_, index) => ({ sku: `sku-${index}`, amount: index })),
  };

  test("is stored once, although several steps pass it on", () => {
    const rows = [
      [started({ order, note: "x" })],
      [intent({ order })],
      [ok({ order, id: 1 }), intent({ from: order, again: order })],
      [
        ok(order),
        asked({ order }, { order }),
        { type: "emitted", atMs: 1, nodeId: "a", visit: 1, event: "custom.x", payload: { order } } as Entry,
      ],
      [{ type: "ended", atMs: 2, nodeId: "done", result: { status: "completed", output: { order } } } as Entry],
    ];
    const { bodies, read } = throughText(rows);
    expect(read).toBe(JSON.stringify(rows.map(valuesOf)));
    const size = JSON.stringify(order).length;
    expect(bodies.join("").length).toBeLessThan(size + 3_000);
    expect(bodies.join("").split('"sku-7"')).toHaveLength(2);
  });

  test("is recognized by its content, also in another object", () => {
    const { bodies } = throughText([[started({ order })], [ok({ order })], [ok(structuredClone({ order }))]]);
    expect(bodies.join("").split('"sku-7"')).toHaveLength(2);
  });

  test("is stored again if it is short", () => {
    const { bodies } = throughText([[started({ n: 1 })], [ok({ n: 1 })]]);
    expect(bodies[1]).toContain('{"n":1}');
    expect(bodies[1]).not.toContain("refs");
  });

  test("keeps its place in the order of members", () => {
    const input = { big: { text: long }, z: 1, a: 2 };
    const rows = [[started(input)], [intent({ z: 1, big: input.big, a: long, more: input.big, b: 3 })]];
    expect(throughText(rows).read).toBe(JSON.stringify(rows.map(valuesOf)));
  });

  test("does not replace a value that differs only in a member that is stored elsewhere", () => {
    const input = { a: { text: `${long} a` }, b: { text: `${long} b` } };
    const memo = `${long} memo`;
    const rows = [
      [started(input)],
      [intent({ what: input.a, memo })],
      [intent({ what: input.b, memo }, { visit: 2 })],
      [intent({ memo }, { visit: 3 })],
      [intent({ what: null, memo }, { visit: 4 })],
      [intent({ what: input.a, memo }, { visit: 5 })],
    ];
    expect(throughText(rows).read).toBe(JSON.stringify(rows.map(valuesOf)));
  });

  test("is recognized by a reader that continues to write", () => {
    const first = createRowCodec(runId);
    const body = first.encode(1, [started({ order })]);
    const successor = createRowCodec(runId);
    const [begun] = successor.decode(1, body);
    if (begun?.type !== "started") throw new Error("The row holds something else.");
    const second = successor.encode(2, [intent(begun.input as JsonObject)]);
    expect(second).not.toContain("sku-7");
    const reader = createRowCodec(runId);
    reader.decode(1, body);
    expect(valuesOf(reader.decode(2, second))).toEqual([{ order }]);
  });
});

describe("a row that is encoded again with other entries", () => {
  test("replaces the earlier text, so that no reference leads to a value that was never stored", () => {
    const output = { text: long, nested: { text: `${long}!` } };
    const writer = createRowCodec(runId);
    const reader = createRowCodec(runId);
    reader.decode(1, writer.encode(1, [started({ n: 1 })]));
    writer.encode(2, [{ type: "recovered", atMs: 1, workerId: "w", epoch: 2 }, ok(output), intent(output)]);
    const entries = [ok(output), intent({ again: output.nested })];
    const body = writer.encode(2, entries);
    expect(valuesOf(reader.decode(2, body))).toEqual(valuesOf(entries));
    const later = [intent({ output, nested: output.nested }, { visit: 2 })];
    expect(valuesOf(reader.decode(3, writer.encode(3, later)))).toEqual(valuesOf(later));
  });
});

describe("a dangling reference", () => {
  test("is an error, not a missing value", () => {
    const writer = createRowCodec(runId);
    writer.encode(1, [started({ text: long })]);
    const body = writer.encode(2, [intent({ text: long })]);
    expect(() => createRowCodec(runId).decode(2, body)).toThrow(/refers to/);
  });
});

/** Journals whose values contain parts of each other, as templates produce them. */
const journal = fc
  .tuple(
    fc.array(jsonValue, { minLength: 1, maxLength: 4 }),
    fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 24 }),
  )
  .map(([values, draws]) => {
    const pool: JsonValue[] = [...values];
    const rows: Entry[][] = [[started(values[0] ?? null)]];
    for (const draw of draws) {
      const pick = (by: number): JsonValue => pool[Math.floor(draw / by) % pool.length] ?? null;
      const built = { x: pick(7), "y/z": pick(11), ...(draw % 3 === 0 ? { memo: long } : {}) };
      const whole = pick(13);
      const object: JsonObject =
        typeof whole === "object" && whole !== null && !Array.isArray(whole) ? (whole as JsonObject) : built;
      const entry =
        [
          () => intent(built),
          () => intent(object),
          () => ok(pick(5)),
          () => ok(structuredClone(built)),
          () => asked(built, object),
        ][draw % 5]?.() ?? ok(null);
      pool.push(built);
      const last = rows.at(-1);
      if (draw % 2 === 0 && last !== undefined) last.push(entry);
      else rows.push([entry]);
    }
    return rows;
  });

describe("any journal", () => {
  test("is decoded exactly, with its order of members, by a new reader and by one that continues to write", () => {
    fc.assert(
      fc.property(journal, fc.nat(20), fc.array(fc.nat(20)), (rows, takeoverAt, encodedTwice) => {
        const expected = rows.map((entries) => JSON.stringify(valuesOf(entries)));
        let writer = createRowCodec(runId);
        const bodies: string[] = [];
        rows.forEach((entries, index) => {
          if (index === takeoverAt) {
            writer = createRowCodec(runId);
            bodies.forEach((body, earlier) => writer.decode(earlier + 1, body));
          }
          if (encodedTwice.includes(index)) writer.encode(index + 1, [...entries.slice(1), ok({ index }), ...entries]);
          bodies.push(writer.encode(index + 1, entries));
        });
        const reader = createRowCodec(runId);
        expect(bodies.map((body, index) => JSON.stringify(valuesOf(reader.decode(index + 1, body))))).toEqual(expected);
      }),
      { numRuns: 1_500 },
    );
  });
});

describe("a recorded exchange", () => {
  const head = { method: "POST", url: "https://x.test/a", headers: { "x-a": "b" } };
  const wire = (exchange: Exclude<Extract<Entry, { type: "outcome" }>["exchange"], undefined>): Entry => ({
    ...(ok({ id: 1 }) as Extract<Entry, { type: "outcome" }>),
    exchange,
  });

  test.each<[string, Parameters<typeof wire>[0]]>([
    ["without bodies or answer", { request: head }],
    [
      "with everything",
      { request: { ...head, body: { a: 1 } }, response: { status: 500, headers: {}, body: "no" }, note: "n" },
    ],
    [
      "with bodies that are null or empty",
      { request: { ...head, body: null }, response: { status: 200, headers: {}, body: "" } },
    ],
  ])("is decoded as it was encoded: %s", (_name, exchange) => {
    const body = createRowCodec(runId).encode(1, [wire(exchange)]);
    expect(createRowCodec(runId).decode(1, body)).toEqual([wire(exchange)]);
  });

  test("is stored once if its body equals the arguments of the call", () => {
    const args = { memo: "a memo that is so long that it is worth a reference, and then some more of it" };
    const codec = createRowCodec(runId);
    const rows = [
      codec.encode(1, [intent(args)]),
      codec.encode(2, [wire({ request: { ...head, body: { ...args } } })]),
    ];
    expect(rows.join("").split(args.memo)).toHaveLength(2);
    const reader = createRowCodec(runId);
    expect(rows.map((row, index) => reader.decode(index + 1, row))[1]).toEqual([
      wire({ request: { ...head, body: args } }),
    ]);
  });
});
