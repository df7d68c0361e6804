import type { JsonValue } from "@procedo/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileTemplate } from "./compile-template.ts";
import type { Template } from "./expression.ts";
import { sampleScope, sampleTypes, untyped } from "./sample-scope.ts";

function compiled(value: JsonValue): Template {
  const result = compileTemplate(value, untyped);
  if (!result.ok) throw new Error(result.problems.map(({ path, message }) => `${path} ${message}`).join(" "));
  return result.template;
}

const rendered = (template: JsonValue, input: JsonValue = {}) => compiled(template).render(sampleScope(input));

describe("a string that is one expression yields its typed value", () => {
  test.each<[string, JsonValue]>([
    ["{{ input.amount }}", 12],
    ["{{input.amount}}", 12],
    ["{{ input.urgent }}", true],
    ["{{ input.none }}", null],
    ["{{ input.vendor }}", { id: "v_1" }],
    ["{{ {'a': {'b': 1}}}}", { a: { b: 1 } }],
    ['{{ "}}" }}', "}}"],
    ['{{ "{{" }}', "{{"],
    ["{{ decimal('12.50') }}", "12.50"],
    ["{{ input.amount // in cents }}\n }}", 12],
  ])("%s", (template, value) => {
    expect(rendered(template, { amount: 12, urgent: true, none: null, vendor: { id: "v_1" } })).toEqual({
      ok: true,
      value,
    });
  });

  test("the same object, not a copy of it", () => {
    const input = { order: { lines: [1, 2] } };
    const evaluation = rendered({ order: "{{ input.order }}", all: ["{{ input }}"] }, input);
    if (!evaluation.ok) throw new Error(evaluation.message);
    const value = evaluation.value as { order: unknown; all: unknown[] };
    expect(value.order).toBe(input.order);
    expect(value.all[0]).toBe(input);
  });
});

describe("text around expressions takes scalars", () => {
  test.each([
    ["Pay {{ input.amount }} to {{ nodes.vendor.output.name }}?", "Pay 12.5 to Acme?"],
    [" {{ input.amount }}", " 12.5"],
    ["{{ input.amount }}{{ true }}", "12.5true"],
    ["{{ decimal('12.50') }} EUR", "12.50 EUR"],
    ["{{ timestamp(run.createdAt) }}.", "2026-03-01T09:00:00Z."],
    ["a }} b", "a }} b"],
    ["{{ nodes.pay.?output.?id.orValue('-') }}!", "-!"],
  ])("%s", (template, value) => {
    expect(rendered(template, { amount: 12.5 })).toEqual({ ok: true, value });
  });

  test.each<[string, JsonValue, string]>([
    ["Pay {{ input }}", {}, "input is an object, which has no place within a text"],
    ["Pay {{ input }}", [1], "input is a list, which has no place within a text"],
    ["Pay {{ input }}", null, "input is null, which has no place within a text"],
  ])("%s on %j fails", (template, input, message) => {
    expect(rendered(template, input)).toEqual({ ok: false, message });
  });

  test.each([
    ["x {{ input.vendor }}", "is an object"],
    ["x {{ input.tags }}", "is a list"],
    ["x {{ null }}", "is null"],
    ["x {{ input.?reference }}", "add .orValue(...)"],
  ])("%s is refused before evaluation", (template, message) => {
    expect(compileTemplate(template, sampleTypes)).toMatchObject({
      problems: [{ path: "", message: expect.stringContaining(message) }],
    });
  });
});

describe("an absent value is omitted", () => {
  test("keys, items and the whole", () => {
    expect(rendered({ id: "{{ nodes.pay.?output.?id }}", a: 1 })).toEqual({ ok: true, value: { a: 1 } });
    expect(rendered(["{{ nodes.pay.?output.?id }}", 1, "{{ input.?x }}"])).toEqual({ ok: true, value: [1] });
    expect(rendered("{{ nodes.pay.?output.?id }}")).toEqual({ ok: true, value: undefined });
    expect(rendered({ deep: { id: "{{ input.?x }}" } })).toEqual({ ok: true, value: { deep: {} } });
  });

  test("null is not absent", () => {
    expect(rendered({ id: "{{ input.x }}", none: null }, { x: null })).toEqual({
      ok: true,
      value: { id: null, none: null },
    });
  });
});

describe("failures and problems name their place", () => {
  test("a failure names the pointer within the template", () => {
    expect(rendered({ to: ["ok", { "a/b": "{{ nodes.pay.output.id }}" }] })).toEqual({
      ok: false,
      message: '/to/1/a~1b: nodes.pay has no field "output": the node was not visited',
    });
  });

  test("all problems are reported, each with its pointer", () => {
    const template = {
      id: "{{ input.amont }}",
      list: ["{{ 1 + }}", "{{ open"],
      "~{{ key }}": 1,
      ok: "{{ input.amount }}",
    };
    expect(compileTemplate(template, sampleTypes)).toEqual({
      ok: false,
      problems: [
        { path: "/id", message: 'input has no field "amont"; did you mean "amount"?', offset: 3 },
        { path: "/list/0", message: "The expression ends too early.", offset: 6 },
        { path: "/list/1", message: 'A "{{" is not closed by "}}".', offset: 0 },
        { path: "/~0{{ key }}", message: "A key cannot hold an expression, only a value can." },
      ],
    });
  });

  test("an empty expression is a problem", () => {
    expect(compileTemplate("{{ }}", sampleTypes)).toMatchObject({
      problems: [{ message: "The expression is empty." }],
    });
  });
});

describe("a single pass", () => {
  test("the result of an expression is never read as a template again", () => {
    const input = { text: "{{ run.runId }}", parts: ["{{", "run.runId", "}}"] };
    expect(rendered("{{ input.text }}", input)).toEqual({ ok: true, value: "{{ run.runId }}" });
    expect(rendered("<{{ input.text }}>", input)).toEqual({ ok: true, value: "<{{ run.runId }}>" });
    expect(rendered("{{ input.parts.join(' ') }}", input)).toEqual({ ok: true, value: "{{ run.runId }}" });
    expect(rendered('{{ "{" }}{{ "{ run.runId }" }}}', input)).toEqual({ ok: true, value: "{{ run.runId }}" });
  });

  test("text without an opening pair of braces stays unchanged", () => {
    const plain = fc.jsonValue().filter((value) => !JSON.stringify(value).includes("{{"));
    fc.assert(
      fc.property(plain, (value) => {
        const template = value as JsonValue;
        expect(rendered(template)).toEqual({ ok: true, value: template });
      }),
    );
  });
});

describe("a template without expressions", () => {
  test("is constant: it is returned as the same object, in parts too", () => {
    const value = { a: [1, { b: "c" }], n: null };
    const template = compiled(value);
    const one = template.render(sampleScope({}));
    expect(template.render(sampleScope({ other: true }))).toBe(one);
    expect(one).toMatchObject({ ok: true });
    if (one.ok) expect(one.value).toBe(value);
    const mixed = rendered({ fixed: value, x: "{{ 1 }}" });
    if (mixed.ok) expect((mixed.value as { fixed: unknown }).fixed).toBe(value);
    expect(mixed.ok).toBe(true);
    expect(template.reads.size).toBe(0);
  });
});

test("reads returns the roots that the template reads", () => {
  const template = compiled({
    a: "{{ input.x + nodes.vendor.output.id }}",
    b: ["{{ nodes['lookup'].?output }}", "{{ has(nodes.pay.output) }}"],
    c: "{{ [1].map(x, x) }}",
    d: "of {{ run.runId }}",
  });
  expect([...template.reads].sort()).toEqual(["input", "nodes.lookup", "nodes.pay", "nodes.vendor", "run"]);
});

test("a key named __proto__ stays a key", () => {
  const template = JSON.parse(
    '{"__proto__": "{{ input.a }}", "b": {"__proto__": {"x": "{{ input.a }}"}}}',
  ) as JsonValue;
  const evaluation = rendered(template, { a: 1 });
  expect(JSON.stringify(evaluation)).toBe('{"ok":true,"value":{"__proto__":1,"b":{"__proto__":{"x":1}}}}');
});
