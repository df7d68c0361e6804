import {
  normalName,
  type ConditionNode,
  type HumanReviewNode,
  type JsonObject,
  type NodeReview,
  type SumLimit,
  type ToolCallNode,
} from "@procedo/contract";
import { jsonPointer } from "@procedo/contract/syntax";
import type {
  CompiledCondition,
  CompiledHumanReview,
  CompiledNode,
  CompiledSumLimit,
  CompiledToolCall,
  RetryPolicy,
  Reviewers,
} from "../compiled.ts";
import { parseDuration } from "../duration.ts";
import { pathsRead } from "../expressions/paths-read.ts";
import type { PartCompiler } from "./parts.ts";
import type { DraftNode } from "./read-document.ts";
import type { Report } from "./report.ts";

export interface NodeSurroundings {
  readonly parts: PartCompiler;
  readonly report: Report;
  /** The target of a branch, or of the plain edge. */
  exit(branch?: string): string | undefined;
  /** JSON Schema of the arguments, for guards. */
  readonly argumentSchema: JsonObject;
}

/** The compiled form of a node. `undefined` if a part of it does not compile, which is then reported. */
export function compileNode({ path, node }: DraftNode, around: NodeSurroundings): CompiledNode | undefined {
  switch (node?.kind) {
    case undefined:
      return undefined;
    case "start": {
      const to = around.exit();
      return to === undefined ? undefined : { kind: "start", id: node.id, to };
    }
    case "end": {
      const output = around.parts.template(path + jsonPointer(["output"]), node.output ?? {});
      return output === undefined ? undefined : { kind: "end", id: node.id, output };
    }
    case "tool_call":
      return compileToolCall(path, node, around);
    case "condition":
      return compileCondition(path, node, around);
    case "human_review":
      return compileHumanReview(path, node, around);
  }
}

function compileToolCall(path: string, node: ToolCallNode, around: NodeSurroundings): CompiledToolCall | undefined {
  const { parts } = around;
  const mapped = parts.template(path + jsonPointer(["arguments"]), node.arguments ?? {});
  const guards = every(node.guards ?? [], (guard, index) => {
    const at = path + jsonPointer(["guards", index, "check"]);
    const check = parts.expression(at, guard.check, { returns: "bool", args: around.argumentSchema });
    return check === undefined ? undefined : { check, otherwise: guard.otherwise };
  });
  const sumLimits = every(node.sumLimits ?? [], (limit, index) => compileSumLimit(path, limit, index, around));
  const emitted = node.emit && parts.template(path + jsonPointer(["emit", "data"]), node.emit.data ?? {});
  const to = around.exit();
  if (mapped === undefined || guards === undefined || sumLimits === undefined || to === undefined) return undefined;
  if (node.emit !== undefined && emitted === undefined) return undefined;
  return {
    kind: "tool_call",
    id: node.id,
    title: node.title,
    connection: node.connection,
    action: node.action,
    arguments: mapped,
    ...(node.instructions === undefined
      ? {}
      : {
          agent: {
            instructions: node.instructions,
            maxCalls: node.maxCalls ?? 1,
            budget: node.budget ?? {},
            fixed: new Map(Object.entries(node.arguments ?? {}).map(([name, value]) => [name, pathsRead(value)])),
          },
        }),
    guards,
    sumLimits,
    retry: retryOf(node.retry),
    timeoutMs: node.timeoutMs,
    onUnknownOutcome: node.onUnknownOutcome,
    emit: node.emit === undefined || emitted === undefined ? undefined : { name: node.emit.name, data: emitted },
    to,
    onError: around.exit("error"),
    onRejected: around.exit("rejected"),
    ...(node.review === undefined ? {} : { answeredBy: reviewersOf(node.review) }),
  };
}

function compileSumLimit(
  path: string,
  limit: SumLimit,
  index: number,
  { parts, argumentSchema }: NodeSurroundings,
): CompiledSumLimit | undefined {
  const at = path + jsonPointer(["sumLimits", index]);
  const sum = parts.expression(at + jsonPointer(["sum"]), limit.sum, { returns: "number", args: argumentSchema });
  const when =
    limit.when === undefined
      ? undefined
      : parts.expression(at + jsonPointer(["when"]), limit.when, { returns: "bool", args: argumentSchema });
  const perDay = limit.per === "day";
  if (sum === undefined || (limit.when !== undefined && when === undefined)) return undefined;
  if (perDay && limit.timeZone === undefined) return undefined;
  return {
    name: limit.name,
    sum,
    when,
    atMost: limit.atMost,
    per: perDay && limit.timeZone !== undefined ? { span: "day", timeZone: limit.timeZone } : { span: "run" },
    otherwise: limit.otherwise ?? "fail",
  };
}

function retryOf(retry: ToolCallNode["retry"]): RetryPolicy {
  const initialDelayMs = retry?.initialDelayMs ?? Math.min(1_000, retry?.maxDelayMs ?? 1_000);
  return {
    maxAttempts: retry?.maxAttempts ?? 4,
    initialDelayMs,
    maxDelayMs: retry?.maxDelayMs ?? Math.max(30_000, initialDelayMs),
  };
}

function compileCondition(path: string, node: ConditionNode, around: NodeSurroundings): CompiledCondition | undefined {
  const names = [...node.branches.map(({ name }) => name), ...(node.otherwise === undefined ? [] : [node.otherwise])];
  const ways = every(names, (name) => {
    const to = around.exit(name);
    return to === undefined ? undefined : ([name, to] as const);
  });
  const asked = node.question !== undefined;
  const branches = every(asked ? [] : node.branches, ({ name, when }, index) => {
    if (when === undefined) return undefined;
    const compiled = around.parts.expression(path + jsonPointer(["branches", index, "when"]), when, {
      returns: "bool",
    });
    return compiled === undefined ? undefined : { name, when: compiled };
  });
  if (ways === undefined || branches === undefined || (node.otherwise === undefined && !asked)) return undefined;
  return {
    kind: "condition",
    id: node.id,
    branches,
    // A question without `otherwise` has no fallback branch: no edge has the empty name.
    otherwise: node.otherwise ?? "",
    ...(node.question === undefined
      ? {}
      : {
          question: {
            text: node.question,
            answers: answersOf(node),
            confidence: node.confidence,
            budget: node.budget ?? {},
            ...(node.review === undefined ? {} : { answeredBy: reviewersOf(node.review) }),
          },
        }),
    to: new Map(ways),
  };
}

function answersOf(
  node: ConditionNode,
): readonly { readonly name: string; readonly description: string | undefined }[] {
  const answers = node.branches.map(({ name, description }) => ({ name, description }));
  const { otherwise } = node;
  const isAnother = otherwise !== undefined && answers.every(({ name }) => name !== otherwise);
  return isAnother ? [...answers, { name: otherwise, description: "None of the others." }] : answers;
}

function compileHumanReview(
  path: string,
  node: HumanReviewNode,
  around: NodeSurroundings,
): CompiledHumanReview | undefined {
  const { parts, report } = around;
  const title = parts.text(path + jsonPointer(["title"]), node.title);
  const data = parts.template(path + jsonPointer(["data"]), node.data ?? {});
  const outputs = node.outputs && parts.schema(path + jsonPointer(["outputs"]), node.outputs);
  const duration = node.expiresAfter === undefined ? undefined : parseDuration(node.expiresAfter);
  if (duration?.ok === false) report.error(path + jsonPointer(["expiresAfter"]), "duration", duration.message);
  const to = around.exit();
  if (title === undefined || data === undefined || to === undefined || duration?.ok === false) return undefined;
  if (node.outputs !== undefined && outputs === undefined) return undefined;
  const { roles, people, approvals, excludeStarter, excludeApproversOf } = reviewersOf(node);
  return {
    kind: "human_review",
    id: node.id,
    title,
    data,
    outputs: outputs && { schema: outputs.schema, validator: outputs },
    reviewers: { roles, people },
    approvals,
    excludeStarter,
    excludeApproversOf,
    expiresAfterMs: duration?.ms,
    covers: node.covers,
    to,
  };
}

/** The reviewers of a node, with the defaults filled in. */
function reviewersOf(review: NodeReview): Reviewers {
  const { reviewers, approvals = 1, excludeStarter = false, excludeApproversOf = [] } = review;
  return {
    roles: distinctNames(reviewers?.roles ?? []),
    people: distinctNames(reviewers?.people ?? []),
    approvals,
    excludeStarter,
    excludeApproversOf,
  };
}

/** Each name once, in its normal form. */
function distinctNames(names: readonly string[]): readonly string[] {
  return [...new Set(names.map(normalName))];
}

/**
 * All items compiled, or `undefined` if one of them does not compile. Every item is compiled, so that all problems are
 * found.
 */
function every<T, C>(items: readonly T[], compile: (item: T, index: number) => C | undefined): C[] | undefined {
  const compiled = items.map(compile);
  return compiled.includes(undefined) ? undefined : compiled.filter((item) => item !== undefined);
}
