import { describe, expect, it } from "vitest";
import { changed, problemsOf, type Change } from "../../test/changed-document.ts";
import { surroundings } from "../../test/vendor-payment.ts";
import { compileProcedure } from "./compile-procedure.ts";

const perRun = { name: "eur", sum: "args.amount", atMost: 5_000_000, per: "run" };
const perDay = { ...perRun, per: "day", timeZone: "Europe/Berlin" };
const limiting =
  (...sumLimits: readonly object[]): Change =>
  (_document, node) =>
    (node("pay")["sumLimits"] = sumLimits);

describe("sums that bound a node", () => {
  it("compile, also if a review covers the call", () => {
    const when = "args.currency == 'EUR'";
    const compiled = compileProcedure(
      changed(limiting({ ...perDay, when, otherwise: "review" }, { ...perRun, name: "calls", sum: "1" })),
      surroundings,
    );
    expect(compiled.problems).toEqual([]);
    const pay = compiled.ok ? compiled.procedure.nodes.get("pay") : undefined;
    expect(pay).toMatchObject({
      sumLimits: [
        {
          name: "eur",
          sum: { source: "args.amount" },
          when: { source: when },
          atMost: 5_000_000,
          per: { span: "day", timeZone: "Europe/Berlin" },
          otherwise: "review",
        },
        { name: "calls", when: undefined, per: { span: "run" }, otherwise: "fail" },
      ],
    });
  });

  it("are as valid for a mapped call as for an agent's call", () => {
    const change: Change = (document, node) => {
      limiting(perDay)(document, node);
      Object.assign(node("pay"), { instructions: "Pay." });
      delete node("approve")["covers"];
    };
    expect(problemsOf(change, { ...surroundings, model: true })).toEqual([]);
  });

  it.each<[string, readonly object[], string]>([
    ["share a name", [perRun, perDay], "node_settings /nodes/4/sumLimits/1/name"],
    ["count days without a zone", [{ ...perRun, per: "day" }], "node_settings /nodes/4/sumLimits/0"],
    ["name a zone for a run", [{ ...perDay, per: "run" }], "node_settings /nodes/4/sumLimits/0/timeZone"],
    ["add up text", [{ ...perRun, sum: "args.vendorId" }], "expression /nodes/4/sumLimits/0/sum"],
    ["add up a missing argument", [{ ...perRun, sum: "args.amont" }], "expression /nodes/4/sumLimits/0/sum"],
    ["count by a number", [{ ...perRun, when: "args.amount" }], "expression /nodes/4/sumLimits/0/when"],
    ["have a negative bound", [{ ...perRun, atMost: -1 }], "shape /nodes/4/sumLimits/0/atMost"],
    ["have a fractional bound", [{ ...perRun, atMost: 0.5 }], "shape /nodes/4/sumLimits/0/atMost"],
    ["have an invalid name", [{ ...perRun, name: "per day" }], "shape /nodes/4/sumLimits/0/name"],
  ])("that %s are refused at that place", (_name, limits, problem) => {
    expect(problemsOf(limiting(...limits))).toEqual([problem]);
  });

  it("give a number, or fail when they are evaluated", () => {
    const compiled = compileProcedure(changed(limiting({ ...perRun, sum: "args.lines[0].text.size()" })), surroundings);
    const node = compiled.ok ? compiled.procedure.nodes.get("pay") : undefined;
    const [limit] = node?.kind === "tool_call" ? node.sumLimits : [];
    const scope = { input: {}, nodes: {}, run: {} as never };
    expect(limit?.sum.evaluate({ ...scope, args: { lines: [{ text: "four" }] } })).toEqual({ ok: true, value: 4 });
    expect(limit?.sum.evaluate({ ...scope, args: { lines: [] } })).toMatchObject({ ok: false });
  });
});

describe("a time zone", () => {
  const zoned =
    (timeZone: string): Change =>
    (document) =>
      (document.budgets = { day: { tokens: 1_000_000, toolCalls: 100, modelCalls: 500, timeZone } });

  it.each(["Europe/Berlin", "UTC", "America/Argentina/Buenos_Aires", "Etc/GMT+3"])("may be %s", (timeZone) => {
    expect(problemsOf(zoned(timeZone))).toEqual([]);
    expect(problemsOf(limiting({ ...perDay, timeZone }))).toEqual([]);
  });

  it.each(["Europe/Nowhere", "+01:00", "local", " "])("cannot be %j, which is not a time zone", (timeZone) => {
    expect(problemsOf(zoned(timeZone))).toEqual(["time_zone /budgets/day/timeZone"]);
    expect(problemsOf(limiting({ ...perDay, timeZone }))).toEqual(["time_zone /nodes/4/sumLimits/0/timeZone"]);
  });

  it("is checked even if another part of the document is broken", () => {
    const change: Change = (document, node) => {
      zoned("nowhere")(document, node);
      document.name = "";
    };
    expect(problemsOf(change).sort()).toEqual(["shape /name", "time_zone /budgets/day/timeZone"]);
  });

  it("is reported only a few times if it is wrong in many places", () => {
    const many = Array.from({ length: 20 }, (_item, at) => ({ ...perDay, name: `s${at}`, timeZone: `Mars/M${at}` }));
    const change: Change = (_document, node) => {
      node("pay")["sumLimits"] = many;
      node("vendor")["sumLimits"] = many.map((limit) => ({ ...limit, sum: "1" }));
    };
    expect(problemsOf(change)).toHaveLength(20);
  });
});

describe("the budgets of all runs of a procedure", () => {
  it("is part of the version", () => {
    const budgets = { run: { modelCalls: 10, tokens: 50_000 }, day: { tokens: 1_000_000, timeZone: "UTC" } };
    const compiled = compileProcedure(
      changed((document) => (document.budgets = budgets)),
      surroundings,
    );
    expect(compiled.ok && compiled.procedure.document.budgets).toEqual(budgets);
  });

  it("requires the time zone that defines the day", () => {
    expect(problemsOf((document) => Object.assign(document, { budgets: { day: { tokens: 1 } } }))).toEqual([
      "shape /budgets/day/timeZone",
    ]);
  });
});
