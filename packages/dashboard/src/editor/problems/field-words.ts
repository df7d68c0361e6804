import type { ProcedureNode } from "@procedo/contract";
import { pointerTokens } from "@procedo/contract/syntax";

/** Members of a step by the labels of their fields. */
const labels: Readonly<Record<string, string>> = {
  title: "Title",
  id: "Id",
  connection: "Connection",
  action: "Action",
  arguments: "Arguments",
  instructions: "Instructions",
  maxCalls: "Most calls",
  budget: "Limits of the agent",
  modelCalls: "Most model calls",
  tokens: "Most tokens",
  guards: "Guard",
  check: "Has to be true",
  sumLimits: "Limit",
  name: "Name",
  sum: "Amount of a call",
  when: "Expression",
  atMost: "At most",
  per: "Per",
  timeZone: "Time zone of the days",
  otherwise: "Otherwise",
  retry: "Retries",
  maxAttempts: "Attempts",
  initialDelayMs: "First delay",
  maxDelayMs: "Longest delay",
  timeoutMs: "Time limit of an attempt",
  onUnknownOutcome: "If the outcome is unknown",
  review: "Reviewers of the call",
  reviewers: "Reviewers",
  roles: "Roles",
  people: "People",
  approvals: "Approvals",
  excludeStarter: "Exclude the person who started the run",
  excludeApproversOf: "Exclude people who approved",
  emit: "Event",
  data: "Data",
  question: "Question",
  branches: "Branch",
  description: "Right if",
  confidence: "Confidence",
  atLeast: "At least",
  outputs: "Outputs",
  covers: "Covers",
  expiresAfter: "Expires after",
  output: "Output",
};

/** Members whose own members are named by the document. */
const templates = new Set(["arguments", "data", "output", "outputs"]);

/** The place of a problem in its step, in the words of the fields: `/branches/0/when` is "Branch large › Expression". */
export function fieldWords(node: ProcedureNode, pointer: string): string {
  const words: string[] = [];
  let isNamed = false;
  for (const token of pointerTokens(pointer)) {
    const last = words.at(-1);
    if (isNamed) words.push(token);
    else if (/^\d+$/.test(token) && last !== undefined) words.splice(-1, 1, `${last} ${itemName(node, last, token)}`);
    else {
      words.push(Object.hasOwn(labels, token) ? (labels[token] ?? token) : token);
      isNamed = templates.has(token);
    }
  }
  return words.join(" › ");
}

function itemName(node: ProcedureNode, list: string, index: string): string {
  const branch = node.kind === "condition" && list === labels["branches"] ? node.branches[Number(index)] : undefined;
  return branch === undefined || branch.name === "" ? String(Number(index) + 1) : branch.name;
}
