import type { JsonObject, JsonValue } from "@procedo/contract";
import { compileExpression, type ExpressionOptions } from "../expressions/compile-expression.ts";
import { compileTemplate, compileTextTemplate } from "../expressions/compile-template.ts";
import type { CompiledTemplate } from "../expressions/compile-template.ts";
import type { Expression, Template } from "../expressions/expression.ts";
import { schemaType } from "../expressions/schema-type.ts";
import { schemasLimit } from "../expressions/scope-types.ts";
import type { ScopeTypes } from "../expressions/scope-types.ts";
import type { SchemaCompiler } from "../schemas/compile-schema.ts";
import { schemaWeight } from "../schemas/schema-limits.ts";
import type { SchemaValidator } from "../schemas/schema-validator.ts";
import type { Report } from "./report.ts";

/** Compiles the parts of nodes. A part that does not compile is reported at its path and yields `undefined`. */
export interface PartCompiler {
  expression(path: string, source: string, options: ExpressionOptions): Expression | undefined;
  template(path: string, value: JsonValue): Template | undefined;
  /** A template that renders to text, for any type of its expression. */
  text(path: string, value: string): Template | undefined;
  /** A template of text that is rendered at the start of a run, when no node has been visited. */
  reference(path: string, text: string): Template | undefined;
  schema(path: string, schema: JsonObject): SchemaValidator | undefined;
}

export function createPartCompiler(types: ScopeTypes, compileSchema: SchemaCompiler, report: Report): PartCompiler {
  const counted = new Set<string>();
  /** Types by argument schema: all guards of an action's calls share one. */
  const withArgs = new Map<JsonObject, ScopeTypes>();

  function typesWith(args: JsonObject | undefined): ScopeTypes {
    if (args === undefined) return types;
    const known = withArgs.get(args) ?? { ...types, args: schemaType(args) };
    withArgs.set(args, known);
    return known;
  }

  function withinBudget(schema: JsonObject): boolean {
    const text = JSON.stringify(schema);
    if (types.budget === undefined || counted.has(text)) return true;
    counted.add(text);
    types.budget.schemas -= schemaWeight(schema);
    return types.budget.schemas >= 0;
  }

  function template(path: string, compile: () => CompiledTemplate): Template | undefined {
    if (report.isFull) return undefined;
    const compiled = compile();
    if (compiled.ok) return compiled.template;
    for (const { path: at, message, offset } of compiled.problems)
      report.error(path + at, "expression", message, offset);
    return undefined;
  }

  return {
    template: (path, value) => template(path, () => compileTemplate(value, types)),
    text(path, value) {
      const compiled = template(path, () => compileTemplate(value, types));
      return compiled === undefined ? undefined : asText(compiled);
    },
    reference(path, text) {
      const compiled = template(path, () => compileTextTemplate(text, types));
      const later = [...(compiled?.reads ?? [])].filter((read) => read.split(".", 1)[0] === "nodes");
      for (const read of later) {
        const message = `The reference is rendered when a run starts. ${read} has no value then: read input or run.`;
        report.error(path, "expression", message);
      }
      return compiled;
    },
    expression(path, source, options) {
      if (report.isFull) return undefined;
      const { args, ...others } = options;
      const compiled = compileExpression(source, typesWith(args), others);
      if (compiled.ok) return compiled.expression;
      for (const problem of compiled.problems) {
        const message = `${problem.message} (at character ${problem.offset + 1})`;
        report.error(path, "expression", message, problem.offset);
      }
      return undefined;
    },
    schema(path, schema) {
      if (report.isFull) return undefined;
      if (!withinBudget(schema)) {
        const message = `The schema at ${path} is one too many: all schemas of a document may hold ${schemasLimit} together; make them smaller.`;
        report.error(path, "schema", message);
        return undefined;
      }
      const compiled = compileSchema(schema);
      if (compiled.ok) return compiled.validator;
      for (const problem of compiled.problems) {
        report.error(path + problem.path, "schema", `The schema at ${path}${problem.path} ${problem.message}`);
      }
      return undefined;
    },
  };
}

function asText(template: Template): Template {
  return {
    reads: template.reads,
    render(scope) {
      const rendered = template.render(scope);
      if (!rendered.ok || typeof rendered.value === "string") return rendered;
      const { value } = rendered;
      if (typeof value === "number" || typeof value === "boolean") return { ok: true, value: String(value) };
      const what = value === undefined ? "nothing" : value === null ? "null" : "an object or a list";
      return { ok: false, message: `The title must be text, but yields ${what}.` };
    },
  };
}
