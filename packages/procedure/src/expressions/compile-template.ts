import type { JsonObject, JsonValue } from "@procedo/contract";
import { jsonPointer } from "@procedo/contract/syntax";
import { compileProgram, failureOf } from "./compile-expression.ts";
import type { Program } from "./compile-expression.ts";
import { fail } from "./evaluation-failure.ts";
import { toJson } from "./exit.ts";
import type { Evaluation, Template } from "./expression.ts";
import { openFrame, spend, spendMadeText } from "./frame.ts";
import type { Frame } from "./frame.ts";
import type { ScopeTypes } from "./scope-types.ts";
import { describe } from "./static-type.ts";
import type { StaticType } from "./static-type.ts";
import { scanTemplate } from "./template-scanner.ts";
import type { TemplatePart } from "./template-scanner.ts";
import { kindNames, kindOf, setOwn } from "./value.ts";

/** The outcome of compiling a template. */
export type CompiledTemplate =
  | {
      readonly ok: true;
      /** The template, ready to render. */
      readonly template: Template;
    }
  | {
      readonly ok: false;
      /** The faults of the template. */
      readonly problems: readonly TemplateProblem[];
    };

/** A problem of a template, with its place. */
export interface TemplateProblem {
  /** JSON pointer (RFC 6901) within the template. */
  readonly path: string;
  /** The fault and its correction. */
  readonly message: string;
  /** Position of the faulty part within the text at `path`, in characters. */
  readonly offset?: number;
}

/** One pass over the template. Its expressions share the step budget, and the current path is known. */
interface Rendering {
  readonly frame: Frame;
  path: string;
  source: string;
}

/** A part of the template. */
interface Renderer {
  /** It contains no expression, so that its value is returned unchanged. */
  readonly isConstant: boolean;
  render(rendering: Rendering): JsonValue | undefined;
}

interface Compilation {
  readonly types: ScopeTypes;
  /** Whether the whole has to be text: an expression alone yields neither a list nor an object. */
  readonly isText: boolean;
  readonly reads: Set<string>;
  readonly problems: TemplateProblem[];
}

type ExpressionPart = Extract<TemplatePart, { readonly kind: "expression" }>;

/** Number of problems after which the compilation of a template stops. */
const problemLimit = 200;

/**
 * Compiles a JSON value whose strings may contain `{{ expression }}`. A string that is exactly one expression yields
 * its value, of any type. Text around expressions accepts texts, numbers, true and false. An absent value is left out:
 * the key of an object, the item of a list, or the whole. The result of an expression is never read as a template
 * again.
 */
export function compileTemplate(value: JsonValue, types: ScopeTypes): CompiledTemplate {
  return compile(value, { types, isText: false, reads: new Set(), problems: [] });
}

/** Compiles a text that may contain expressions. A text that is exactly one expression may also be absent. */
export function compileTextTemplate(text: string, types: ScopeTypes): CompiledTemplate {
  return compile(text, { types, isText: true, reads: new Set(), problems: [] });
}

function compile(value: JsonValue, compilation: Compilation): CompiledTemplate {
  const renderer = compileValue(value, "", compilation);
  if (compilation.problems.length > 0) return { ok: false, problems: compilation.problems };
  const constant: Evaluation = { ok: true, value };
  return {
    ok: true,
    template: {
      reads: compilation.reads,
      render: (scope) => (renderer.isConstant ? constant : rendered(renderer, openFrame(scope))),
    },
  };
}

function rendered(renderer: Renderer, frame: Frame): Evaluation {
  const rendering: Rendering = { frame, path: "", source: "" };
  try {
    return { ok: true, value: renderer.render(rendering) };
  } catch (error) {
    const failure = failureOf(error, rendering.source);
    return rendering.path === "" ? failure : { ...failure, message: `${rendering.path}: ${failure.message}` };
  }
}

function compileValue(value: JsonValue, path: string, compilation: Compilation): Renderer {
  if (typeof value === "string") return compileText(value, path, compilation);
  if (typeof value !== "object" || value === null) return constant(value);
  return isJsonArray(value) ? compileArray(value, path, compilation) : compileObject(value, path, compilation);
}

function compileArray(value: readonly JsonValue[], path: string, compilation: Compilation): Renderer {
  const items = value.map((item, index) => compileValue(item, path + jsonPointer([index]), compilation));
  if (items.every((item) => item.isConstant)) return constant(value);
  return {
    isConstant: false,
    render(rendering) {
      spend(rendering.frame, items.length);
      return items.map((item) => item.render(rendering)).filter((item) => item !== undefined);
    },
  };
}

function compileObject(value: JsonObject, path: string, compilation: Compilation): Renderer {
  const entries = Object.entries(value).map(([key, item]) => {
    const pointer = path + jsonPointer([key]);
    if (key.includes("{{")) {
      compilation.problems.push({ path: pointer, message: "A key cannot hold an expression, only a value can." });
    }
    return { key, renderer: compileValue(item, pointer, compilation) };
  });
  if (entries.every((entry) => entry.renderer.isConstant)) return constant(value);
  return {
    isConstant: false,
    render(rendering) {
      spend(rendering.frame, entries.length);
      const result: Record<string, JsonValue> = {};
      for (const { key, renderer } of entries) {
        const item = renderer.render(rendering);
        if (item !== undefined) setOwn(result, key, item);
      }
      return result;
    },
  };
}

function compileText(text: string, path: string, compilation: Compilation): Renderer {
  const scanned = scanTemplate(text);
  if ("problem" in scanned) {
    compilation.problems.push({ path, message: scanned.problem, offset: scanned.offset });
    return constant(text);
  }
  const [first, second] = scanned.parts;
  if (first?.kind === "expression" && second === undefined) return compileWhole(first, path, compilation);
  if (scanned.parts.every((part) => part.kind === "text")) return constant(text);
  const parts = scanned.parts.map((part) => compilePart(part, path, compilation));
  return {
    isConstant: false,
    render(rendering) {
      const texts = parts.map((part) => part(rendering));
      spendMadeText(
        rendering.frame,
        texts.reduce((sum, part) => sum + part.length, 0),
      );
      return texts.join("");
    },
  };
}

function compileWhole(part: ExpressionPart, path: string, compilation: Compilation): Renderer {
  const program = compileSource(part, path, compilation);
  if (program === undefined) return constant(null);
  const type = program.type.kind === "optional" ? program.type.of : program.type;
  if (compilation.isText && hasNoText(type)) {
    const message = `${program.source} is ${describe(type)}, where a text or a number is needed.`;
    compilation.problems.push({ path, message, offset: part.start });
  }
  return { isConstant: false, render: (rendering) => toJson(run(program, path, rendering), rendering.frame) };
}

/** A part of a text: literal text, or an expression whose value is inserted. */
function compilePart(part: TemplatePart, path: string, compilation: Compilation): (rendering: Rendering) => string {
  if (part.kind === "text") return () => part.text;
  const program = compileSource(part, path, compilation);
  if (program === undefined) return () => "";
  if (hasNoText(program.type) || program.type.kind === "optional") {
    const hint =
      program.type.kind === "optional" ? "add .orValue(...)" : "put it into a string of its own to pass it on";
    const message = `${program.source} is ${describe(program.type)}, which has no place within a text: ${hint}.`;
    compilation.problems.push({ path, message, offset: part.start });
  }
  return (rendering) => {
    const value = toJson(run(program, path, rendering), rendering.frame);
    if (typeof value === "string") return value;
    if (typeof value === "number" || typeof value === "boolean") return String(value);
    return fail(`is ${kindNames[kindOf(value)]}, which has no place within a text`);
  };
}

function hasNoText({ kind }: StaticType): boolean {
  return kind === "list" || kind === "object" || kind === "null";
}

function compileSource({ source, start }: ExpressionPart, path: string, compilation: Compilation): Program | undefined {
  if (compilation.problems.length >= problemLimit) return undefined;
  const program = compileProgram(source.trim(), compilation.types, compilation.reads);
  if (!("problems" in program)) return program;
  const from = start + source.length - source.trimStart().length;
  compilation.problems.push(
    ...program.problems.map(({ message, offset }) => ({ path, message, offset: from + offset })),
  );
  return undefined;
}

function run(program: Program, path: string, rendering: Rendering) {
  rendering.path = path;
  rendering.source = program.source;
  spend(rendering.frame, program.weight);
  return program.run(rendering.frame);
}

function constant(value: JsonValue): Renderer {
  return { isConstant: true, render: () => value };
}

function isJsonArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
