import { describe, expect, it } from "vitest";
import { changed, edge, messagesOf, problemsOf, type Change } from "../../test/changed-document.ts";
import { surroundings, vendorPayment } from "../../test/vendor-payment.ts";
import { compileProcedure, loadProcedure } from "./compile-procedure.ts";

describe("a document without faults", () => {
  it("compiles to the executable procedure, with defaults filled in", () => {
    const compiled = compileProcedure(vendorPayment(), surroundings);
    expect(compiled.problems).toEqual([]);
    if (!compiled.ok) return;
    const { procedure } = compiled;
    expect([...procedure.nodes.keys()]).toEqual(["start", "vendor", "size", "approve", "pay", "done", "refused"]);
    expect(procedure.startId).toBe("start");
    expect(procedure.nodes.get("pay")).toMatchObject({
      kind: "tool_call",
      to: "done",
      onError: "refused",
      onRejected: undefined,
      retry: { maxAttempts: 4, initialDelayMs: 1_000, maxDelayMs: 30_000 },
      onUnknownOutcome: undefined,
    });
    expect(procedure.nodes.get("approve")).toMatchObject({ covers: "pay", expiresAfterMs: 604_800_000, to: "pay" });
    expect(procedure.input.validate({ vendorId: "v" })).toEqual([{ path: "/amount", message: "is required." }]);
  });

  it("loads again regardless of its surroundings", () => {
    expect(loadProcedure(vendorPayment()).nodes.size).toBe(7);
    const strange = changed((_document, node) => {
      Object.assign(node("vendor"), { connection: "gone", arguments: { idd: "{{ input.amont }}" } });
      Object.assign(node("pay"), { instructions: "Pay." });
    });
    expect(loadProcedure(strange).nodes.get("pay")).toMatchObject({ agent: { instructions: "Pay.", maxCalls: 1 } });
  });

  it("a time or currency that publishing refuses today keeps no version from loading", () => {
    const document = changed((_document, node) => (node("approve")["title"] = 'On {{ timestamp("2026-02-30") }}?'));
    expect(compileProcedure(document, surroundings)).toMatchObject({
      ok: false,
      problems: [{ message: expect.stringContaining("has no day 30") as string }],
    });
    expect(loadProcedure(document).nodes.size).toBe(7);
  });

  it.each([
    { $dynamicRef: "#amount" },
    { items: { unevaluatedItems: false, contains: { type: "string" } } },
    { pattern: "^(?<sign>-)\\k<sign>$" },
    { pattern: "\\A[A-Z]+\\Z" },
  ])("a schema that publishing refuses today keeps no version from loading: %j", (note) => {
    const document = changed((whole) => {
      const input = whole["input"] as { properties: Record<string, unknown>; $defs?: unknown };
      input.properties["note"] = note;
      input.$defs = { amount: { $dynamicAnchor: "amount" } };
    });
    expect(compileProcedure(document, surroundings).ok).toBe(false);
    expect(loadProcedure(document).nodes.size).toBe(7);
  });

  it("renders a title to text for any type of its expression", () => {
    const procedure = loadProcedure(changed((_document, node) => (node("approve")["title"] = "{{ input.amount }}")));
    const review = procedure.nodes.get("approve");
    const scope = (amount: number | null) => ({ input: { amount }, nodes: {}, run: {} as never });
    expect(review?.kind === "human_review" && review.title.render(scope(12))).toEqual({ ok: true, value: "12" });
    expect(review?.kind === "human_review" && review.title.render(scope(null))).toMatchObject({ ok: false });
  });
});

describe("a document with faults", () => {
  it("gets all of them reported at once, those of broken nodes and those of sound ones", () => {
    const problems = problemsOf((document, node) => {
      document.name = "";
      Object.assign(document, { colour: "red" });
      node("vendor")["kind"] = "toolcall";
      node("size")["branches"] = [{ name: "large", when: "input.amont > 1" }];
      node("approve")["expiresAfter"] = "P1M";
      node("done")["output"] = { id: "{{ nodes.pya.output.id }}" };
      edge(document, "approve").at.to = "payy";
    });
    expect(problems.sort()).toEqual(
      [
        "shape /name",
        "shape /colour",
        "shape /nodes/1/kind",
        "expression /nodes/2/branches/0/when",
        "duration /nodes/3/expiresAfter",
        "expression /nodes/5/output/id",
        "unknown_node /edges/4/to",
      ].sort(),
    );
  });

  it.each<[string, unknown, string[]]>([
    ["nothing", undefined, [""]],
    ["a list", [], [""]],
    ["a text", "document", [""]],
    ["an empty object", {}, ["/schemaVersion", "/procedureId", "/name", "/input", "/nodes", "/edges"]],
    ["nodes that are not a list", { ...vendorPayment(), nodes: {} }, ["/nodes"]],
    [
      "nodes that are not objects",
      { ...vendorPayment(), nodes: [1, null, { id: "start", kind: "start" }], edges: [] },
      ["/nodes/0", "/nodes/1", "/nodes/2"],
    ],
    ["a value that is not JSON", { ...vendorPayment(), input: { default: 1n } }, ["/input/default"]],
    ["a __proto__ key", JSON.parse('{ "nodes": [{ "__proto__": {} }] }'), ["/nodes/0/__proto__"]],
  ])("that consists of %s is refused at %3$s, without an exception", (_name, document, paths) => {
    expect(compileProcedure(document, surroundings).problems.map(({ path }) => path)).toEqual(
      expect.arrayContaining(paths),
    );
  });

  it("that could no longer be published cannot be loaded", () => {
    expect(() => loadProcedure({})).toThrow(expect.objectContaining({ code: "invalid_document" }));
  });

  it("reads what to change from each message", () => {
    const messages = messagesOf((document, node) => {
      node("vendor")["kind"] = "toolcall";
      node("pay")["timeoutMs"] = "fast";
      delete node("approve")["title"];
      edge(document, "approve").at.to = "payy";
    });
    expect(messages).toContain(
      '"kind" must be one of "start", "end", "tool_call", "condition", "human_review"; did you mean "tool_call"?',
    );
    expect(messages).toContain('"timeoutMs" must be a number, not a string.');
    expect(messages).toContain('"title" is missing; it must be a string.');
    expect(messages).toContain('There is no node "payy"; did you mean "pay"?');
  });
});

describe("an expression", () => {
  it.each<[string, Change, string[]]>([
    [
      "misspells an input",
      (_document, node) => (node("size")["branches"] = [{ name: "large", when: "input.amont > 1" }]),
      ["expression /nodes/2/branches/0/when"],
    ],
    [
      "misspells an output",
      (_document, node) => (node("approve")["data"] = { a: ["{{ nodes.vendor.output.nam }}"] }),
      ["expression /nodes/3/data/a/0"],
    ],
    [
      "names an unknown node",
      (_document, node) => (node("done")["output"] = { id: "{{ nodes.payment.output.id }}" }),
      ["expression /nodes/5/output/id"],
    ],
    [
      "does not parse",
      (_document, node) => (node("done")["output"] = { id: "{{ nodes. }}" }),
      ["expression /nodes/5/output/id"],
    ],
    [
      "does not yield a boolean",
      (_document, node) => (node("size")["branches"] = [{ name: "large", when: "input.amount" }]),
      ["expression /nodes/2/branches/0/when"],
    ],
    [
      "names an unknown argument of the action",
      (_document, node) => (node("pay")["guards"] = [{ check: "args.amont > 1", otherwise: "fail" }]),
      ["expression /nodes/4/guards/0/check"],
    ],
    [
      "reads args outside a guard",
      (_document, node) => (node("pay")["emit"] = { name: "x", data: { a: "{{ args.amount }}" } }),
      ["expression /nodes/4/emit/data/a"],
    ],
    [
      "of a title does not parse",
      (_document, node) => (node("approve")["title"] = "Pay {{ input.amount"),
      ["expression /nodes/3/title"],
    ],
  ])("that %s is refused at its place", (_name, change, expected) => {
    expect(problemsOf(change)).toEqual(expected);
  });

  it("may read the results of a failed step, a condition and a review", () => {
    const change: Change = (_document, node) => {
      node("refused")["output"] = {
        a: "{{ nodes.pay.output.error }}",
        b: "{{ nodes.size.output.branch }}",
        c: "{{ nodes.approve.output.approved }}",
      };
    };
    // The outputs of the decision replace `approved`.
    expect(problemsOf(change)).toEqual(["optional /nodes/6/output/c"]);
  });
});

describe("a schema", () => {
  it("that does not compile is refused at its place", () => {
    expect(
      problemsOf((document, node) => {
        document.input = { type: "object", properties: { amount: { type: "money" } } };
        node("approve")["outputs"] = { $ref: "https://example.com/outputs.json" };
        node("approve")["title"] = "Pay?";
      }),
    ).toEqual(expect.arrayContaining(["schema /input/properties/amount/type", "schema /nodes/3/outputs"]));
  });

  it("of the input that excludes objects is refused, because no run could start", () => {
    expect(problemsOf((document) => (document.input = { ...document.input, type: "string" }))).toContain(
      "schema /input/type",
    );
  });
});

describe("a connection", () => {
  const change: Change = (_document, node) => {
    node("vendor")["connection"] = "legder";
    node("pay")["action"] = "post_payment";
  };

  it("or an action that does not exist is an error where the version becomes the default", () => {
    expect(problemsOf(change)).toEqual(["unknown_connection /nodes/1/connection", "unknown_action /nodes/4/action"]);
  });

  it("without any actions is reported differently from one that lacks this action", () => {
    const compiled = compileProcedure(changed(change), {
      ...surroundings,
      action: () => ({ missing: "action", known: [] }),
    });
    expect(compiled.problems[0]?.message).toContain("it has no actions yet");
    expect(compileProcedure(changed(change), surroundings).problems[1]?.message).toContain(
      'has no action "post_payment"; did you mean "post_payments"?',
    );
    expect(compileProcedure(changed(change), surroundings).problems[0]?.message).toContain('did you mean "ledger"?');
  });

  it("or an action that does not exist is a warning elsewhere", () => {
    const compiled = compileProcedure(changed(change), { ...surroundings, connectionMissing: "warning" });
    expect(compiled).toMatchObject({ ok: true, problems: [{ severity: "warning" }, { severity: "warning" }] });
  });

  it("whose action is deprecated or was renamed gets a warning, which does not prevent publishing", () => {
    const compiled = compileProcedure(vendorPayment(), {
      ...surroundings,
      action: (connection, name) => {
        const shape = surroundings.action(connection, name);
        if (typeof shape === "string") return shape;
        return name === "post_payments" ? { ...shape, deprecated: true } : { ...shape, renamedTo: "getVendor" };
      },
    });
    expect(compiled.ok).toBe(true);
    expect(compiled.problems).toMatchObject([
      { severity: "warning", path: "/nodes/1/action", code: "renamed_action" },
      { severity: "warning", path: "/nodes/4/action", code: "deprecated_action" },
    ]);
    expect(compiled.problems[0]?.message).toContain('was renamed to "getVendor"');
  });

  it("looks up each action once", () => {
    const asked: string[] = [];
    const action = (connection: string, name: string) => {
      asked.push(name);
      return surroundings.action(connection, name);
    };
    compileProcedure(vendorPayment(), { ...surroundings, action });
    expect(asked).toEqual(["get_vendors_id", "post_payments"]);
  });
});

describe("a document designed to take long", () => {
  const withOutput = (output: unknown, input: unknown = { type: "object" }) => ({
    schemaVersion: 1,
    procedureId: "p",
    name: "p",
    input,
    nodes: [
      { id: "start", kind: "start" },
      { id: "end", kind: "end", output: { output } },
    ],
    edges: [{ from: "start", to: "end" }],
  });
  const messages = (document: unknown) =>
    compileProcedure(document, surroundings).problems.map(({ message }) => message);

  it("has 20,000 expressions at most, in one text or in many", () => {
    expect(compileProcedure(withOutput(Array<string>(20_000).fill("{{ 1 }}")), surroundings).ok).toBe(true);
    const tooMany = "A document has at most 20000 expressions.";
    expect(messages(withOutput(Array<string>(20_001).fill("{{ 1 }}")))).toEqual([tooMany]);
    expect(messages(withOutput("{{ 1 }}".repeat(20_001)))).toEqual([tooMany]);
  });

  it("has patterns of 100,000 instructions at most together", () => {
    const pattern = `{{ "a".matches("(${"a?".repeat(200)})b") }}`;
    const few = compileProcedure(withOutput(Array<string>(100).fill(pattern)), surroundings);
    expect(few.ok).toBe(true);
    expect(messages(withOutput(Array<string>(1_000).fill(pattern)))[0]).toContain(
      "may compile to at most 100000 instructions",
    );
  });

  it("has at most 8,000 schemas together, and equal ones count once", () => {
    const reviews = (outputsOf: (index: number) => object) => {
      const nodes = Array.from({ length: 40 }, (_, index) => ({
        id: `review${index}`,
        kind: "human_review",
        title: "Check",
        outputs: outputsOf(index),
      }));
      return { ...withOutput(1), nodes: [...(withOutput(1)["nodes"] as object[]), ...nodes] };
    };
    const form = (index: number) => ({
      properties: Object.fromEntries(
        Array.from({ length: 900 }, (_, at) => [`field${index}_${at}`, { type: "string" }]),
      ),
    });
    const tooMany = expect.stringContaining("all schemas of a document may hold 8000 together") as string;
    expect(messages(reviews(form))).toContainEqual(tooMany);
    expect(messages(reviews(() => form(0)))).not.toContainEqual(tooMany);
  });

  it("that was published before such limits loads all the same", () => {
    expect(loadProcedure(withOutput(Array<string>(20_001).fill("{{ 1 }}"))).nodes.size).toBe(2);
  });

  it("gets 200 errors and a note that there are more", () => {
    const found = compileProcedure(withOutput(Array<string>(5_000).fill("{{ nope }}")), surroundings).problems;
    expect(found).toHaveLength(200);
    const nodes = Array.from({ length: 500 }, (_, index) => ({ id: `n${index}`, kind: "end", outputs: {} }));
    const misspelt = compileProcedure({ ...withOutput(1), nodes }, surroundings).problems;
    expect(misspelt).toHaveLength(201);
    expect(misspelt.at(-1)).toEqual({
      severity: "error",
      path: "",
      code: "shape",
      message: "There are more than 200 errors; the others are not listed.",
    });
  });

  it("may have schemas of lists that contain themselves, and compare them", () => {
    const list = (name: string) => ({ type: "array", items: { $ref: `#/$defs/${name}` } });
    const input = {
      type: "object",
      required: ["one", "other"],
      $defs: { one: list("one"), other: list("other") },
      properties: { one: list("one"), other: list("other") },
    };
    const output = ["{{ input.one == input.other }}", "{{ true ? input.one : input.other }}"];
    expect(compileProcedure(withOutput(output, input), surroundings)).toMatchObject({ ok: true, problems: [] });
  });
});
