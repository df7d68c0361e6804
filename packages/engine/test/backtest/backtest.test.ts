import { createTestEnvironment, once } from "@procedo/engine/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { call, procedure } from "../documents.ts";
import { changed, pastRuns, payment, type PastRuns } from "./past-runs.ts";

let past: PastRuns;
beforeAll(async () => {
  past = await pastRuns();
});

/** The summary of a report: runs by result. */
const summaryOf = ({ summary }: Awaited<ReturnType<PastRuns["backtest"]>>) =>
  Object.fromEntries(summary.map(({ what, runs }) => [what, runs]));

describe("the same version", () => {
  test("makes the same decisions for every run, without a call, a model request or a write", async () => {
    const before = [past.called.length, past.asked()];
    const runs = await past.environment.engine.runs.list({ environment: "sandbox", limit: 100 });
    const report = await past.backtest({ version: "test", strict: true });
    expect(report).toMatchObject({
      procedureId: "payment",
      version: "test",
      runs: 8,
      same: 8,
      changed: 0,
      diverged: 0,
    });
    expect(report.changes).toEqual([]);
    expect(report.decisions).toBeGreaterThan(40);
    expect([past.called.length, past.asked()]).toEqual(before);
    expect(await past.environment.engine.runs.list({ environment: "sandbox", limit: 100 })).toEqual(runs);
  });

  test("of an unpublished document is the same", async () => {
    expect(await past.backtest({ document: payment })).toMatchObject({ version: "document", runs: 8, same: 8 });
  });
});

describe("another version", () => {
  test("takes another way: the differing path, reviews and results are reported, with their recorded values", async () => {
    const report = await past.backtest({
      document: changed({ size: { branches: [{ name: "large", when: "input.amount > 5500" }] } }),
    });
    expect(report).toMatchObject({ same: 7, changed: 1, diverged: 0 });
    expect(summaryOf(report)).toEqual({
      '"size" leads to "pay" instead of "approve"': 1,
      'a review is no longer needed at "approve" (human_review)': 1,
      'the agent of "book" gets another prompt; its recorded reply was used': 1,
    });
    expect(report.changes).toMatchObject([
      {
        verdict: "changed",
        before: { status: "completed", path: ["start", "vendor", "size", "approve", "pay", "book", "done"] },
        after: { status: "completed", path: ["start", "vendor", "size", "pay", "book", "done"] },
      },
    ]);
    expect(report.changes[0]?.differences.map(({ message }) => message)).toEqual([
      '"size" leads to "pay" instead of "approve": start > vendor > size > pay > book > done instead of ' +
        "start > vendor > size > approve > pay > book > done",
      'a review is no longer needed at "approve" (human_review): "Pay 5000 to Vendor acme?"',
      'the agent of "book" gets another prompt; its recorded reply was used',
    ]);
  });

  test("calls with other arguments: the recorded result is used, and the difference reported", async () => {
    const document = changed({ vendor: { arguments: { id: "{{ 'v-' + input.vendor }}" } } });
    const report = await past.backtest({ document });
    expect(report).toMatchObject({ runs: 8, changed: 8, diverged: 0 });
    expect(report.changes[0]).toMatchObject({
      reused: 1,
      differences: [
        { kind: "arguments", message: '"vendor" is called with other arguments: /id: "acme" became "v-acme"' },
      ],
    });
    const strict = await past.backtest({ document, strict: true });
    expect(strict).toMatchObject({ runs: 8, changed: 0, diverged: 8 });
    expect(strict.changes[0]).toMatchObject({
      verdict: "diverged",
      after: { status: undefined, path: ["start", "vendor"] },
      differences: [
        { kind: "arguments" },
        { kind: "record", message: 'the record ends at "vendor": "bank.vendor" is called with other arguments.' },
      ],
    });
  });

  test("makes a call that was never made: the record ends there", async () => {
    const nodes = payment.nodes.map((node) => (node.id === "vendor" ? { ...node, action: "supplier" } : node));
    const report = await past.backtest({ document: { ...payment, nodes } });
    expect(report).toMatchObject({ diverged: 8 });
    expect(summaryOf(report)).toEqual({
      '"vendor" calls "bank.supplier" instead of "bank.vendor"': 8,
      'the record ends at "vendor"': 8,
    });
  });

  test("that renames a node still finds its result", async () => {
    const text = JSON.stringify(payment.nodes).replace('"id":"vendor"', '"id":"supplier"');
    const nodes = JSON.parse(text.replaceAll("nodes.vendor", "nodes.supplier")) as typeof payment.nodes;
    const edges = payment.edges.map(({ from, to, ...edge }) => ({ ...edge, from: renamed(from), to: renamed(to) }));
    const report = await past.backtest({
      document: { ...payment, nodes, edges },
      runs: { limit: 1, status: "completed" },
    });
    expect(report.changes[0]?.differences.map(({ kind }) => kind)).toEqual(["path", "prompt"]);
    expect(report.changes[0]?.after.status).toBe("completed");
  });

  test("opens a review that was never opened: the record ends there, unless it counts as approved", async () => {
    const document = changed({ pay: { guards: [{ check: "args.amount < 200", otherwise: "review" }] } });
    const report = await past.backtest({ document, runs: { status: "completed" } });
    expect(report).toMatchObject({ runs: 5, changed: 1, diverged: 4 });
    expect(summaryOf(report)).toMatchObject({
      'a review is needed at "pay" (guard)': 4,
      'the record ends at "pay"': 4,
    });
    const assumed = await past.backtest({ document, runs: { status: "completed" }, assumeApproved: true });
    expect(assumed).toMatchObject({ changed: 5, diverged: 0, same: 0 });
    expect(assumed.changes.map(({ after }) => after.status)).toEqual(Array(5).fill("completed"));
  });

  test("asks more people, shows other data, or allows less time", async () => {
    const title = { title: "May {{ input.amount }} go out?" };
    const approved = { status: "completed" as const };
    const other = await past.backtest({ document: changed({ approve: title }), runs: approved });
    expect(other.changes).toMatchObject([
      { reused: 1, differences: [{ kind: "review", nodeId: "approve", message: expect.stringContaining("/title") }] },
    ]);
    const two = await past.backtest({ document: changed({ approve: { approvals: 2 } }), runs: approved });
    // The reviews of a covered call need no fewer people.
    expect(two.changes.map(({ differences }) => differences.at(-1)?.message)).toEqual([
      'the record ends at "approve": Review "Pay 5000 to Vendor acme?" needs 2 approvals, and the record has 1.',
      'the record ends at "pay": Review "Guard held back: pay" needs 2 approvals, and the record has 1.',
      'the record ends at "pay": Review "Outcome unknown: pay" needs 2 approvals, and the record has 1.',
    ]);
    const forEver = await past.backtest({ document: changed({ approve: { expiresAfter: undefined } }) });
    expect(forEver.changes.map(({ verdict }) => verdict).sort()).toEqual(["changed", "changed", "changed", "diverged"]);
  });

  test("expires a review that was decided later", async () => {
    const document = procedure([{ id: "ask", kind: "human_review", title: "Well?", expiresAfter: "P7D" }]);
    const environment = await createTestEnvironment({ document });
    const run = await environment.run();
    await run.advance("P3D");
    await run.approve();
    const nodes = document.nodes.map((node) => (node.id === "ask" ? { ...node, expiresAfter: "P2D" } : node));
    const tried = { procedureId: "p", environment: "sandbox", document: { ...document, nodes } } as const;
    const report = await environment.engine.backtest(tried);
    expect(report.changes[0]?.after).toMatchObject({
      status: "failed",
      error: 'Review "Well?" expired without a decision.',
    });
  });

  test("refuses data that does not fit, emits other events and returns another output", async () => {
    const input = {
      ...payment.input,
      properties: { vendor: { type: "string" }, amount: { type: "integer", maximum: 100 } },
    };
    const refused = await past.backtest({ document: { ...payment, input } as typeof payment });
    expect(summaryOf(refused)).toEqual({ "the run would not have started: its data does not fit the input": 7 });
    const document = changed({
      pay: { emit: { name: "paid", data: { id: "{{ nodes.pay.output.id }}", amount: "{{ input.amount }}" } } },
      done: { output: { id: "{{ nodes.pay.output.id }}" } },
    });
    const reported = await past.backtest({ document, runs: { limit: 100, status: "completed" } });
    expect(summaryOf(reported)).toEqual({
      '"pay" emits another payload with "custom.paid"': 4,
      "the run has another output": 4,
    });
  });
});

describe("the selection of runs", () => {
  test("covers ended runs, by status, version or time, up to the maximum number", async () => {
    const count = async (runs: object) => (await past.backtest({ version: "test", runs })).runs;
    expect(await count({})).toBe(8);
    expect(await count({ status: "failed" })).toBe(3);
    expect(await count({ limit: 2 })).toBe(2);
    expect(await count({ version: "other" })).toBe(0);
    expect(await count({ fromMs: Date.parse("2026-01-03") })).toBe(0);
    expect(await count({ toMs: Date.parse("2026-01-03") })).toBe(8);
  });

  test("covers open runs as far as their record goes", async () => {
    const { environment } = past;
    const open = await environment.run({ input: { vendor: "open", amount: 9_000 } });
    const runs = { status: "awaiting_review" } as const;
    expect(await past.backtest({ version: "test", runs })).toMatchObject({ runs: 1, same: 1 });
    const document = changed({ size: { branches: [{ name: "large", when: "input.amount > 10000" }] } });
    expect(await past.backtest({ document, runs })).toMatchObject({ diverged: 1 });
    await open.cancel();
  });

  test("is yielded one by one; the report keeps the requested number of changed runs", async () => {
    const document = changed({ vendor: { arguments: { id: "other" } } });
    const seen: string[] = [];
    const stop = new AbortController();
    const eachRun = async ({ runId, verdict }: { readonly runId: string; readonly verdict: string }) => {
      await Promise.resolve();
      seen.push(verdict);
      if (seen.length === 3) stop.abort();
      expect(runId).toMatch(/^run_/);
    };
    const report = await past.backtest({ document, keep: 1, eachRun, signal: stop.signal });
    expect(report).toMatchObject({ runs: 3, changed: 3, changes: [{ verdict: "changed" }] });
    expect(report.changes).toHaveLength(1);
    expect(seen).toEqual(["changed", "changed", "changed"]);
  });

  test.each([
    [{}, "Give the version to try, or a document."],
    [{ version: "nope" }, 'There is no version "nope" of procedure "payment".'],
    [
      { document: { ...payment, procedureId: "other" } },
      'The document belongs to procedure "other", but the runs belong to "payment".',
    ],
    [{ version: "test", runs: { limit: 0 } }, "runs.limit is 0. Give a whole number from 1 to 100000."],
    [{ version: "test", keep: 0.5 }, "keep is 0.5. Give a whole number from 0 to 10000."],
    [{ document: { nonsense: true } }, "The document cannot be loaded; publish a corrected version."],
  ])("%j is refused", async (request, message) => {
    await expect(past.backtest(request)).rejects.toThrow(message);
  });
});

describe("agents", () => {
  test("that get another prompt give their recorded reply, and the difference is reported", async () => {
    const document = changed({ book: { instructions: "Book the payment to the vendor's account." } });
    const report = await past.backtest({ document });
    expect(summaryOf(report)).toEqual({
      'the agent of "book" gets another prompt; its recorded reply was used': 4,
    });
    expect(await past.backtest({ document, strict: true })).toMatchObject({ diverged: 4, changed: 0 });
  });

  test("reply anew if requested; their calls are answered from the record", async () => {
    const before = [past.called.length, past.asked()] as const;
    past.say({ error: "Busy", statusCode: 503 }, { call: { account: "acc_new" } });
    const runs = { status: "completed", limit: 1 } as const;
    const trying = past.backtest({ version: "test", models: "fresh", runs });
    // The delay before the second attempt is a real one, by the engine's clock.
    await past.environment.advance("PT1M");
    const report = await trying;
    expect(report.changes.map(({ differences }) => differences.map(({ message }) => message))).toEqual([
      [expect.stringMatching(/^"book" is called with other arguments: \/account: "acc_\d+" became "acc_new"$/)],
    ]);
    expect([past.called.length, past.asked()]).toEqual([before[0], before[1] + 2]);
  });

  test("are not asked anew by an engine without a model", async () => {
    const document = procedure([call("pay", "pay")]);
    const { engine } = await createTestEnvironment({ document, actions: { bank: { pay: once(null) } } });
    const request = { procedureId: "payment", environment: "sandbox", document: payment, models: "fresh" } as const;
    await expect(engine.backtest(request)).rejects.toMatchObject({
      code: "invalid_configuration",
      message: expect.stringContaining('Node "book" needs a language model'),
    });
  });

  test("have the budgets of the tested version", async () => {
    const document = changed({ book: { budget: { modelCalls: 1 } } });
    const report = await past.backtest({ document, runs: { status: "completed" } });
    // One in three runs needs a second request.
    expect(report.changed).toBeGreaterThan(0);
    expect(report.changes[0]?.after).toMatchObject({
      status: "failed",
      error: expect.stringContaining("budget of 1 model calls"),
    });
  });
});

function renamed(nodeId: string): string {
  return nodeId === "vendor" ? "supplier" : nodeId;
}
