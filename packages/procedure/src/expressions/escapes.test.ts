import { seededRandom } from "@procedo-testing/faults";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { JsonObject } from "@procedo/contract";
import { cases } from "@procedo-testing/tiers";
import { describe, expect, test } from "vitest";
import { compileProgram } from "./compile-expression.ts";
import { compileTemplate } from "./compile-template.ts";
import { EvaluationFailure } from "./evaluation-failure.ts";
import { toJson } from "./exit.ts";
import { stepLimit } from "./step-budget.ts";
import { openFrame } from "./frame.ts";
import { sampleScope, untyped } from "./sample-scope.ts";

const input = JSON.parse(`{
  "amount": 12.5, "text": "900", "none": null, "yes": true,
  "list": [1, 2.5, "a", null, { "x": 1 }, [1]],
  "numbers": [${Array.from({ length: 300 }, (_, index) => index).join(",")}],
  "object": { "a": 1, "__proto__": { "polluted": true }, "constructor": { "prototype": 1 }, "toString": "x" }
}`) as JsonObject;

/** Wraps the values that expressions read, so that each read of a field or an item is counted. */
function counting<T extends object>(value: T, count: { reads: number }): T {
  return new Proxy(value, {
    get(target, key, receiver) {
      count.reads += 1;
      const found: unknown = Reflect.get(target, key, receiver);
      return typeof found === "object" && found !== null ? counting(found, count) : found;
    },
  });
}

/** Whether a value is plain JSON at every depth, judged by its structure and not by its methods. */
function isPlainJson(value: unknown, depth = 0): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || depth > 300) return false;
  if (Object.getPrototypeOf(value) !== (Array.isArray(value) ? Array.prototype : Object.prototype)) return false;
  return Reflect.ownKeys(value).every((key) => {
    if (typeof key === "symbol") return false;
    if (Array.isArray(value) && key === "length") return true;
    const property = Object.getOwnPropertyDescriptor(value, key);
    return property?.get === undefined && isPlainJson(property?.value, depth + 1);
  });
}

const hostNames = [
  "constructor",
  "__proto__",
  "prototype",
  "toString",
  "valueOf",
  "__defineGetter__",
  "caller",
  "then",
];
const scopeNames = [
  "input",
  "nodes",
  "run",
  "args",
  "this",
  "globalThis",
  "process",
  "require",
  "nodes.vendor",
  "input.x",
];
const operators = ["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "in", "&&", "||"];
const macros = ["all", "exists", "exists_one", "filter", "map"];
const junk = [
  "(",
  ")",
  "[",
  "]",
  "{",
  "}",
  ".",
  ".?",
  ",",
  ":",
  "?",
  "!",
  "'",
  '"',
  "\\",
  "`",
  "=>",
  ";",
  "$",
  "//",
  "eval",
];
const odd = ["5u", "b'x'", "0x1F", "1e308", "-0.0", '"\\u00e9"', "null", "[]", "{}", "optional.none()", "type", "cel"];

type Pick = (below: number) => number;
type Kind = "number" | "text" | "bool" | "list" | "any";

/** Mostly expressions that compile and give this kind of value, with an occasional expression that fits nowhere. */
function random(pick: Pick, kind: Kind, depth: number, variable = "input.numbers"): string {
  const part = (of: Kind, name = variable) => random(pick, of, depth - 1, name);
  const one = (...from: readonly string[]) => from[pick(from.length)] ?? "";
  if (pick(40) === 0) return one(...odd, ...scopeNames);
  if (pick(40) === 0) return `${part("any")}.${one(...hostNames)}`;
  if (depth <= 0) return leaf(kind, one, variable);
  const name = `v${depth}`;
  switch (kind) {
    case "number":
      return one(
        `(${part("number")} ${one("+", "-", "*", "/", "%")} ${part("number")})`,
        `size(${part(pick(2) === 0 ? "text" : "list")})`,
        `sum(${part("list")})`,
        `round(${part("number")}, 2)`,
        `decimal(${part("number")})`,
        `(${part("bool")} ? ${part("number")} : ${part("number")})`,
      );
    case "text":
      return one(
        `(${part("text")} + ${part("text")})`,
        `string(${part("number")})`,
        `${part("text")}.${one("trim", "upperAscii")}()`,
        `${part("text")}.substring(${part("number")})`,
        `${part("list")}.join(${part("text")})`,
        `money(${part("number")}, ${one("'EUR'", "'jpy'", part("text"))})`,
        `timestamp(${part(pick(2) === 0 ? "text" : "number")}).isoDate(${one("", "'Europe/Berlin'", part("text"))})`,
      );
    case "bool":
      return one(
        `(${part("number")} ${one("<", "<=", ">", ">=", "==", "!=")} ${part("number")})`,
        `(${part("bool")} ${one("&&", "||")} ${part("bool")})`,
        `!${part("bool")}`,
        `(${part("any")} in ${part("list")})`,
        `${part("text")}.${one("contains", "startsWith")}(${part("text")})`,
        `${part("list")}.${one("all", "exists", "exists_one")}(${name}, ${part("bool", name)})`,
        `has(input.object.${one("a", ...hostNames)})`,
        `(${part("any")} == ${part("any")})`,
      );
    case "list":
      return one(
        `[${part("any")}, ${part("any")}]`,
        `${part("list")}.map(${name}, ${part("any", name)})`,
        `${part("list")}.filter(${name}, ${part("bool", name)})`,
        `(${part("list")} + ${part("list")})`,
        `${part("text")}.split(${part("text")})`,
      );
    default:
      return one(
        part("number"),
        part("text"),
        part("bool"),
        part("list"),
        `{"${one("a", ...hostNames)}": ${part("any")}, ${part("text")}: ${part("any")}}`,
        `input.object.?${one("a", ...hostNames)}.orValue(${part("any")})`,
        `input.object[${part("text")}]`,
        `input.list[${part("number")}]`,
        `json(${one(`'{"${one("a", ...hostNames)}": [1]}'`, part("text"))})`,
        `dyn(${part("any")}).${one("a", ...hostNames)}`,
      );
  }
}

function leaf(kind: Kind, one: (...from: readonly string[]) => string, variable: string): string {
  switch (kind) {
    case "number":
      return one("0", "1", "2.5", "-3", "1e300", "input.amount", "input.object.a", variable);
    case "text":
      return one('"a"', "'900'", '""', "input.text", "run.runId", "nodes.vendor.output.name", `"${one(...hostNames)}"`);
    case "bool":
      return one("true", "false", "input.yes", "input.none == null", "has(nodes.pay.output)");
    case "list":
      return one("input.numbers", "input.list", "[1, 2]", "[]", "input.object");
    default:
      return one("input", "input.none", "input.list", "input.object", "run", "nodes.vendor", variable, "args");
  }
}

function randomTokens(pick: Pick): string {
  const all = [scopeNames, hostNames, operators, macros, odd, junk, junk, ["input.list", "1", "'a'", "x", "size"]];
  const token = () => {
    const from = all[pick(all.length)] ?? [];
    return from[pick(from.length)] ?? "";
  };
  return Array.from({ length: 1 + pick(14) }, token).join(pick(2) === 0 ? "" : " ");
}

test("random expressions reach no host object, take no more than their steps, and only fail as expressions", () => {
  const pick = seededRandom(20_260_301).below;
  const types = { ...untyped, args: untyped.input };
  let evaluated = 0;
  const rounds = cases({ commit: 100_000, nightly: 1_000_000, release: 5_000_000 });
  for (let round = 0; round < rounds; round++) {
    const source = round % 4 === 0 ? randomTokens(pick) : random(pick, "any", 1 + pick(3));
    const program = compileProgram(source, types, new Set());
    if ("problems" in program) continue;
    const count = { reads: 0 };
    const scope = sampleScope(counting(input, count));
    const frame = openFrame({ ...scope, args: input });
    try {
      const value = toJson(program.run(frame), frame);
      evaluated += 1;
      if (value !== undefined && !isPlainJson(value)) expect.fail(`gives something else than JSON: ${source}`);
    } catch (error) {
      if (!(error instanceof EvaluationFailure)) throw new Error(`fails in another way: ${source}`, { cause: error });
    }
    if (count.reads > 20 * stepLimit) expect.fail(`reads ${count.reads} times: ${source}`);
  }
  expect(evaluated).toBeGreaterThan(20_000);
  expect(JSON.stringify({})).toBe("{}");
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

describe("payloads that broke out of other expression languages do not compile or fail", () => {
  test.each([
    "{{ (function(){ return this.process.mainModule.require('child_process').execSync('id').toString() })() }}",
    "{{ $json.constructor.constructor('return process')().mainModule.require('child_process').execSync('id') }}",
    "{{ this.constructor.constructor('return process.env')() }}",
    "{{ ''.constructor.constructor('return 1')() }}",
    "{{ input.constructor.constructor('return process')() }}",
    "{{ [].constructor.constructor`return process```}}",
    "{{ [].map.constructor('return process')() }}",
    "{{ input['constructor']['constructor']('return globalThis')() }}",
    "{{ input.list.map(x, x.constructor.constructor('return 1')()) }}",
    "{{ input.__proto__.polluted }}",
    "{{ input['__proto__']['toString'] }}",
    "{{ Object.getPrototypeOf(function*(){}).constructor('return process')().next() }}",
    "{{ (() => { throw new Proxy({}, {}) })() }}",
    "{{ new Function('return process')() }}",
    "{{ Reflect.construct(Function, ['return process'])() }}",
    "{{ import('node:child_process') }}",
    "{{ require('child_process').execSync('id') }}",
    "{{ process.env }}",
    "{{ globalThis.process }}",
    "{{ eval('1+1') }}",
    "{{ Error.prepareStackTrace = (e, s) => s[0].getThis() }}",
    "{{ class extends Function {} }}",
    "{{ input with { x: 1 } }}",
    "{{ `${process.pid}` }}",
    "{{ $('node').item.json.constructor }}",
    "{{ google.protobuf.Timestamp }}",
    "{{ cel.constructor }}",
    "{{ optional.constructor }}",
    "{{ type(input).constructor }}",
    "{{ dyn(input).toString.constructor('return process')() }}",
    "{{ b'{}'.json().constructor }}",
    "{{ cel.bind(x, input, x.constructor) }}",
    "{{ input.text.toString() }}",
    "{{ input.text.replace('9', input.constructor) }}",
    "{{ input.amount.toFixed.constructor }}",
  ])("%s", (payload) => {
    const plain = { text: "900", amount: 1, list: [{}] };
    for (const template of [payload, `text ${payload}`]) {
      const compiled = compileTemplate(template, untyped);
      if (compiled.ok) expect(compiled.template.render(sampleScope(plain))).toMatchObject({ ok: false });
      else expect(compiled.problems.length).toBeGreaterThan(0);
    }
  });

  test("and a field of such a name is data", () => {
    const compiled = compileTemplate("{{ input.object.constructor }}", untyped);
    if (!compiled.ok) throw new Error("does not compile");
    const evaluation = compiled.template.render(sampleScope(input));
    expect(evaluation).toEqual({ ok: true, value: { prototype: 1 } });
  });
});

describe("no function here generates code from text", () => {
  const parser = dirname(createRequire(import.meta.url).resolve("@marcbachmann/cel-js"));

  test.each([
    ["these sources", import.meta.dirname],
    ["the parser", parser],
  ])("%s have no Function, eval, vm or with", (_what, folder) => {
    const files = readdirSync(folder).filter((file) => /\.(ts|js)$/.test(file) && !/\.(test|d)\.ts$/.test(file));
    expect(files.length).toBeGreaterThan(10);
    for (const file of files) {
      const code = readFileSync(join(folder, file), "utf8");
      expect(code, file).not.toMatch(
        /\beval\s*\(|\bnew\s+Function\b|(?<![\w.])Function\s*\(|["'](node:)?vm["']|\bwith\s*\(/,
      );
    }
  });
});
