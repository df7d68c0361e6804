import type { ConditionNode, HumanReviewNode, JsonObject, JsonValue, ToolCallNode } from "@procedo/contract";
import { jsonPointer } from "@procedo/contract/syntax";
import { checkSumLimits } from "./budgets.ts";
import type { DraftNode } from "./read-document.ts";
import type { Report } from "./report.ts";
import type { CompileSurroundings } from "./surroundings.ts";
import type { TimeZones } from "./time-zones.ts";

/** Checks settings that have the right shape but contradict each other. */
export function checkSettings(
  { path, node, broken }: DraftNode,
  model: CompileSurroundings["model"],
  zones: TimeZones,
  report: Report,
): void {
  switch (node?.kind) {
    case "tool_call":
      checkToolCall(path, node, broken, report);
      checkSumLimits(path, node, broken, zones, report);
      if (node.instructions !== undefined && !hasModel(model, "arguments"))
        missingModel(path, node.id, "instructions", report);
      return;
    case "condition":
      checkCondition(path, node, broken, report);
      if (node.question !== undefined && !hasModel(model, "questions")) missingModel(path, node.id, "question", report);
      return;
    case "human_review":
      checkReview(path, node, report);
      return;
    case "start":
    case "end":
    case undefined:
      return;
  }
}

function hasModel(model: CompileSurroundings["model"], purpose: "arguments" | "questions"): boolean {
  return typeof model === "boolean" ? model : model[purpose];
}

function missingModel(path: string, id: string, field: string, report: Report): void {
  const instead = field === "question" ? 'give each branch a "when"' : 'map the call with "arguments" only';
  report.error(
    path + jsonPointer([field]),
    "model_missing",
    `Node "${id}" needs a language model for its ${field}, but none is configured; configure one, or ${instead}.`,
  );
}

function checkToolCall(path: string, node: ToolCallNode, broken: ReadonlySet<string>, report: Report): void {
  for (const field of ["maxCalls", "budget"] as const) {
    if (node[field] === undefined || node.instructions !== undefined || broken.has("/instructions")) continue;
    const message = `"${field}" limits the agent, but "${node.id}" has no instructions for one; remove it.`;
    report.error(path + jsonPointer([field]), "node_settings", message);
  }
  const { initialDelayMs, maxDelayMs } = node.retry ?? {};
  if (initialDelayMs !== undefined && maxDelayMs !== undefined && initialDelayMs > maxDelayMs) {
    const message = `"initialDelayMs" of "${node.id}" is above its "maxDelayMs"; make it smaller.`;
    report.error(path + jsonPointer(["retry", "initialDelayMs"]), "node_settings", message);
  }
}

function checkCondition(path: string, node: ConditionNode, broken: ReadonlySet<string>, report: Report): void {
  const names = new Set<string>();
  const mayAsk = broken.has("/question");
  for (const [index, branch] of node.branches.entries()) {
    const within = jsonPointer(["branches", index]);
    const at = path + within;
    if (broken.has(within)) continue;
    if (names.has(branch.name)) {
      const message = `"${node.id}" has another branch "${branch.name}"; give each branch its own name.`;
      report.error(at + jsonPointer(["name"]), "duplicate_branch", message);
    }
    names.add(branch.name);
    if (node.question === undefined && branch.when === undefined && !mayAsk && !broken.has(`${within}/when`)) {
      const message = `Branch "${branch.name}" of "${node.id}" needs a "when", or the node a "question" for the agent.`;
      report.error(at, "node_settings", message);
    }
    if (node.question !== undefined && branch.when !== undefined) {
      const message = `"${node.id}" asks a question, so the agent decides; remove "when", or the question.`;
      report.error(at + jsonPointer(["when"]), "node_settings", message);
    }
    if (node.question !== undefined && branch.description === undefined && !broken.has(`${within}/description`)) {
      const message = `Branch "${branch.name}" of "${node.id}" has no description for the agent to decide by.`;
      report.warning(at, "node_settings", message);
    }
  }
  if (mayAsk) return;
  if (node.review !== undefined && ![...broken].some((field) => field.startsWith("/confidence"))) {
    if (node.question === undefined || node.confidence?.otherwise !== "review") {
      const message = `"${node.id}" never asks people, so its "review" has no effect; remove it, or give the node a "question" with a "confidence" whose "otherwise" is "review".`;
      report.error(path + jsonPointer(["review"]), "node_settings", message);
    }
  }
  if (node.question !== undefined) return;
  for (const field of ["confidence", "budget"] as const) {
    if (node[field] === undefined) continue;
    const message = `"${field}" limits the agent, but "${node.id}" asks it no question; remove it.`;
    report.error(path + jsonPointer([field]), "node_settings", message);
  }
  if (node.otherwise === undefined) {
    if (broken.has("/otherwise")) return;
    const message = `"${node.id}" needs "otherwise": the branch that is taken when none of the conditions holds.`;
    report.error(path, "node_settings", message);
  } else if (names.has(node.otherwise)) {
    const message = `"otherwise" of "${node.id}" names one of its branches; give it a name of its own.`;
    report.error(path + jsonPointer(["otherwise"]), "duplicate_branch", message);
  }
}

/** The outputs of an approval are an object, so a schema that requires another type would refuse every approval. */
function checkReview(path: string, { id, outputs }: HumanReviewNode, report: Report): void {
  if (outputs === undefined || allowsObject(outputs)) return;
  const message = `The outputs of "${id}" are an object; write "type": "object".`;
  report.error(path + jsonPointer(["outputs", "type"]), "schema", message);
}

/** Whether the `type` of a schema accepts an object. */
export function allowsObject({ type }: JsonObject): boolean {
  if (type === undefined) return true;
  return Array.isArray(type) ? (type as readonly JsonValue[]).includes("object") : type === "object";
}
