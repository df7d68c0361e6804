import { ProcedoError, type JsonObject } from "@procedo/contract";
import type { CompiledNode, CompiledProcedure } from "../compiled.ts";
import type { Template } from "../expressions/expression.ts";
import { createCompileBudget, scopeTypes } from "../expressions/scope-types.ts";
import type { Problem } from "../problems.ts";
import { asPublished, createSchemaCompiler, type SchemaCompiler } from "../schemas/compile-schema.ts";
import { defaultProblems } from "../schemas/default-problems.ts";
import { schemaOfCompleted } from "../schemas/input-defaults.ts";
import type { SchemaValidator } from "../schemas/schema-validator.ts";
import { lookUpActions } from "./action-checks.ts";
import { checkBudgets } from "./budgets.ts";
import { compileNode } from "./compile-node.ts";
import { checkCovers } from "./covers.ts";
import { connect, type Graph } from "./graph.ts";
import { allowsObject, checkSettings } from "./node-settings.ts";
import { outputSchemas } from "./output-schemas.ts";
import { createPartCompiler, type PartCompiler } from "./parts.ts";
import { checkReachability } from "./reachability.ts";
import { checkReviewers } from "./reviewers.ts";
import { readDocument, type Draft, type DraftNode } from "./read-document.ts";
import { createReport, placedProblems, type Report } from "./report.ts";
import type { CompileSurroundings } from "./surroundings.ts";
import { warnOfOptionalReads } from "./warn-of-optional-reads.ts";
import { createTimeZones } from "./time-zones.ts";

/*
 * The stages of a compilation: read the document's shape (read-document), connect its nodes (graph), check the paths
 * between them (reachability), check each node (node-settings, budgets, action-checks), compile it (compile-node,
 * parts), and check covered calls (covers, dominators) and reviewers (reviewers). Every stage reports its problems and
 * continues, so that an author sees all problems at once.
 */

/** The outcome of compiling a document. */
export type CompileResult =
  | {
      readonly ok: true;
      /** The procedure, ready to execute. */
      readonly procedure: CompiledProcedure;
      /** Warnings. */
      readonly problems: readonly Problem[];
    }
  | {
      readonly ok: false;
      /** Errors and warnings. */
      readonly problems: readonly Problem[];
    };

/**
 * Compiles a document for publishing: reports every problem with its JSON pointer, or returns the executable procedure.
 *
 * Accepts any value and never throws because of it. The time is linear in the size of the document, except for
 * expressions, whose number and pattern sizes are bounded.
 *
 * @example
 * ```ts
 * import { readFile } from "node:fs/promises";
 * import { compileProcedure } from "@procedo/procedure";
 *
 * const compiled = compileProcedure(JSON.parse(await readFile("payment.json", "utf8")), {
 *   model: false,
 *   action: () => ({ input: { type: "object" } }),
 *   connectionMissing: "error",
 * });
 * for (const { path, message } of compiled.problems) console.log(`${path}: ${message}`);
 * ```
 */
export function compileProcedure(document: unknown, surroundings: CompileSurroundings): CompileResult {
  const report = createReport();
  const draft = readDocument(document, report);
  if (draft === undefined) return { ok: false, problems: placedProblems(report, document) };
  const graph = connect(draft, report);
  checkReachability(graph, report);

  const actions = lookUpActions(surroundings, report);
  const outputs = outputSchemas(draft, (node) => actions.shapeOf(node));
  const types = {
    ...scopeTypes({ input: draft.input, ...outputs, areAllNodes: graph.allIdsKnown }),
    budget: createCompileBudget(),
  };
  const zones = createTimeZones(report);
  checkBudgets(draft.budgets, zones);
  const parts = createPartCompiler(types, surroundings.compileSchema ?? createSchemaCompiler(), report);
  const input = compileInput(draft.input, parts, report);
  const reference = draft.reference === undefined ? undefined : parts.reference("/reference", draft.reference);
  const compiled = new Map<string, CompiledNode>();
  const reads = new Map<number, ReadonlySet<string>>();
  for (const node of [...draft.nodes, ...draft.unnamed]) {
    checkSettings(node, surroundings.model, zones, report);
    actions.check(node, types);
    const argumentSchema = node.node?.kind === "tool_call" ? actions.shapeOf(node.node)?.input : undefined;
    const ready = compileNode(node, {
      parts,
      report,
      exit: exitsOf(graph, node),
      argumentSchema: argumentSchema ?? {},
    });
    if (ready === undefined || compiled.has(node.id)) continue;
    compiled.set(node.id, ready);
    const position = graph.positions.get(node.id);
    if (ready.kind === "tool_call" && position !== undefined) reads.set(position, ready.arguments.reads);
  }
  checkCovers(graph, reads, report);
  checkReviewers(graph, report);
  if (draft.document !== undefined && graph.isCertain) {
    const completed = draft.input && schemaOfCompleted(draft.input);
    warnOfOptionalReads(graph, completed, outputs.outputs, report);
  }
  return finish(
    draft,
    compiled,
    { input, reference },
    { hasErrors: report.hasErrors, problems: placedProblems(report, document) },
  );
}

/**
 * Compiles a document that was published before. Neither its current surroundings (connections, actions, a model) nor
 * newer rules keep it from loading: only the requirements of execution are checked, and types are checked by the run.
 *
 * @param options - `compileSchema`: shares validators between versions
 * @throws ProcedoError `invalid_document` if it cannot run, so that it cannot have been published in this form
 */
export function loadProcedure(
  document: unknown,
  options: { readonly compileSchema?: SchemaCompiler } = {},
): CompiledProcedure {
  const report = createReport();
  const draft = readDocument(document, report);
  const result = draft === undefined ? undefined : load(draft, options.compileSchema ?? createSchemaCompiler(), report);
  if (result?.ok === true) return result.procedure;
  const details = report.problems.map(({ path, message }) => ({ path, message }));
  throw new ProcedoError("invalid_document", "The document cannot be loaded; publish a corrected version.", {
    details,
  });
}

function load(draft: Draft, compileSchema: SchemaCompiler, report: Report): CompileResult {
  const graph = connect(draft, report);
  // The engine itself defines only the shape of an agent's calls, and with it the members of their errors.
  const { calls } = outputSchemas(draft, () => undefined);
  const types = scopeTypes({ outputs: new Map(draft.nodes.map(({ id }) => [id, undefined])), calls });
  const parts = createPartCompiler(types, (schema) => compileSchema(schema, asPublished), report);
  const input = draft.input && parts.schema("/input", draft.input);
  const reference = draft.reference === undefined ? undefined : parts.reference("/reference", draft.reference);
  const compiled = new Map<string, CompiledNode>();
  for (const node of draft.nodes) {
    const ready = compileNode(node, { parts, report, exit: exitsOf(graph, node), argumentSchema: {} });
    if (ready !== undefined && !compiled.has(node.id)) compiled.set(node.id, ready);
  }
  return finish(draft, compiled, { input, reference }, report);
}

function finish(
  draft: Draft,
  nodes: ReadonlyMap<string, CompiledNode>,
  { input, reference }: { readonly input: SchemaValidator | undefined; readonly reference: Template | undefined },
  report: Pick<Report, "hasErrors" | "problems">,
): CompileResult {
  const start = draft.nodes.find(({ kind }) => kind === "start");
  if (report.hasErrors || draft.document === undefined || input === undefined || start === undefined) {
    return { ok: false, problems: report.problems };
  }
  return {
    ok: true,
    procedure: {
      document: draft.document,
      startId: start.id,
      nodes: withReviewers(nodes),
      input,
      ...(reference !== undefined && { reference }),
    },
    problems: report.problems,
  };
}

/** Sets the reviewers of each covered call. If several reviews cover it, those of the first one answer. */
function withReviewers(nodes: ReadonlyMap<string, CompiledNode>): ReadonlyMap<string, CompiledNode> {
  const all = new Map(nodes);
  const told = new Set<string>();
  for (const review of nodes.values()) {
    if (review.kind !== "human_review" || review.covers === undefined || told.has(review.covers)) continue;
    const call = all.get(review.covers);
    if (call?.kind !== "tool_call") continue;
    told.add(call.id);
    const { reviewers, approvals, excludeStarter, excludeApproversOf } = review;
    all.set(call.id, { ...call, answeredBy: { ...reviewers, approvals, excludeStarter, excludeApproversOf } });
  }
  return all;
}

function exitsOf(graph: Graph, { id }: DraftNode): (branch?: string) => string | undefined {
  const exits = graph.exits[graph.positions.get(id) ?? -1];
  return (branch) => {
    const to = exits?.get(branch);
    return to === undefined ? undefined : graph.nodes[to]?.id;
  };
}

/** A run's `data` is always an object, so a schema that requires another type would refuse every run. */
function compileInput(input: JsonObject | undefined, parts: PartCompiler, report: Report): SchemaValidator | undefined {
  if (input === undefined) return undefined;
  if (!allowsObject(input)) {
    report.error("/input/type", "schema", 'The data of a run is an object; write "type": "object".');
  }
  const compiled = parts.schema("/input", input);
  if (compiled !== undefined) checkDefaults(input, report);
  return compiled;
}

function checkDefaults(input: JsonObject, report: Report): void {
  const { wrong, unused } = defaultProblems(input);
  for (const { path, message } of wrong) report.error(`/input${path}`, "schema", `The default ${message}`);
  for (const { path, message } of unused) report.warning(`/input${path}`, "schema", `The default ${message}`);
}
