import type { DocumentProblem, JsonValue, ProcedureDocument, ProcedureNode } from "@procedo/contract";
import { compileExpression, compileTemplate, type ExpressionOptions, type ScopeTypes } from "@procedo/procedure";
import { scopeOf } from "../expressions/scope.ts";

/** The faults of all expressions of a document, found in the page while a person types. */
export function expressionProblems(document: ProcedureDocument): readonly DocumentProblem[] {
  const types = scopeOf(document);
  return document.nodes.flatMap((node, index) =>
    sourcesOf(node).flatMap((source) =>
      faultsOf(source, types).map(({ path, message, offset }): DocumentProblem => ({
        severity: "error",
        path: `/nodes/${index}${path}`,
        code: "expression",
        message,
        nodeId: node.id,
        offset,
      })),
    ),
  );
}

type Source = { readonly path: string } & (
  | { readonly kind: "expression"; readonly text: string; readonly options: ExpressionOptions }
  | { readonly kind: "template"; readonly value: JsonValue }
);

function sourcesOf(node: ProcedureNode): readonly Source[] {
  switch (node.kind) {
    case "start":
      return [];
    case "end":
      return templates({ output: node.output });
    case "human_review":
      return templates({ title: node.title, data: node.data });
    case "condition":
      return node.branches.flatMap(({ when }, index) =>
        expression(`/branches/${index}/when`, node.question === undefined ? (when ?? "") : when, { returns: "bool" }),
      );
    case "tool_call": {
      const args = {};
      return [
        ...templates({ arguments: node.arguments }),
        ...templates({ data: node.emit?.data }).map((source) => ({ ...source, path: `/emit${source.path}` })),
        ...(node.guards ?? []).flatMap(({ check }, index) =>
          expression(`/guards/${index}/check`, check, { returns: "bool", args }),
        ),
        ...(node.sumLimits ?? []).flatMap(({ sum, when }, index) => [
          ...expression(`/sumLimits/${index}/sum`, sum, { returns: "number", args }),
          ...expression(`/sumLimits/${index}/when`, when, { returns: "bool", args }),
        ]),
      ];
    }
  }
}

function expression(path: string, text: string | undefined, options: ExpressionOptions): readonly Source[] {
  return text === undefined ? [] : [{ kind: "expression", path, text, options }];
}

function templates(values: Readonly<Record<string, unknown>>): readonly Source[] {
  return Object.entries(values).flatMap(([name, value]): readonly Source[] =>
    value === undefined ? [] : [{ kind: "template", path: `/${name}`, value: value as JsonValue }],
  );
}

interface Fault {
  readonly path: string;
  readonly message: string;
  readonly offset?: number | undefined;
}

function faultsOf(source: Source, types: ScopeTypes): readonly Fault[] {
  if (source.kind === "expression") {
    const compiled = compileExpression(source.text, types, source.options);
    return compiled.ok ? [] : compiled.problems.map((problem) => ({ ...problem, path: source.path }));
  }
  const compiled = compileTemplate(source.value, types);
  return compiled.ok ? [] : compiled.problems.map((problem) => ({ ...problem, path: source.path + problem.path }));
}
