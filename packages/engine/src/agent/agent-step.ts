import type { NodeBudget } from "@procedo/contract";
import {
  wantsOf,
  type AgentNode,
  type AgentState,
  type CompiledCondition,
  type CompiledToolCall,
  type Entry,
  type ModelReply,
  type PromptMessage,
  type RunLimits,
  type Step,
  type StepError,
} from "@procedo/procedure";
import { usedUp } from "../budgets/node-budget.ts";
import type { FoundAction, NamedCall } from "../calls/find-action.ts";
import { fixedArguments, freezeCall } from "../calls/freeze-call.ts";
import { proposeCall, type ProposePorts, type NeedsReservation, type ProposingRun } from "../calls/propose-call.ts";
import { nodeFailed } from "../calls/node-failed.ts";
import type { Clock } from "../ports/clock.ts";
import { askAboutAnswer } from "../reviews/ask-about-answer.ts";
import { agentFacts, fixedNames } from "./agent-facts.ts";
import { withCallsMade } from "./calls-made.ts";
import { outcomeMessages, problemMessages, repairsSoFar } from "./feedback-messages.ts";
import { judgeReply, readAnswer, textOf, violationTexts, type Verdict } from "./judge-reply.ts";
import { fitToolName } from "../models/model-names.ts";
import { modelFor, type AgentModels, type ModelPurpose } from "../models/models.ts";
import { callPrompt, questionPrompt } from "./prompt.ts";
import { toolOfAction, toolOfDecline, toolOfQuestion } from "./tool-of-node.ts";

/*
 * Executes a node by asking a language model. To the engine a reply is data: it fills in arguments or names a branch,
 * and nothing else follows from it.
 *
 *   agent-step.ts         the entries of one turn: the next prompt, or the consequence of a reply
 *   model-turn.ts         one turn with its budgets and retries; `models/` makes the single attempt
 *   prompt.ts             the first prompt; prompt-data.ts: the run's data, cut to what a model should see
 *   feedback-messages.ts  the prompts that follow a reply
 *   tool-of-node.ts       the tools that a node offers
 *   judge-reply.ts        whether a reply is a valid call or answer
 *   calls-made.ts         the calls already made, in the error of a failed node
 *   agent-facts.ts        the origin of each argument, for reviewers
 */

export interface AgentPorts extends ProposePorts {
  readonly limits: RunLimits;
  readonly clock: Clock;
  readonly models: AgentModels;
}

export type AgentStep = Extract<Step, { do: "prompt" | "judge" }>;

/** Corrections in a row that a model receives for unusable replies; the next unusable reply fails the node. */
export const maxRepairs = 3;

/** Characters of the agent's last problem, or of its reason for declining, in the message of the failed node. */
const maxShownLength = 1_000;

/**
 * Prepares any step of an agent except asking its model. Writes and sends nothing.
 *
 * @param found - the action of {@link agentCall}
 * @returns the entry for the journal, or the amounts to reserve first
 */
export function prepareAgentStep(
  ports: AgentPorts,
  run: ProposingRun,
  step: AgentStep,
  found: FoundAction | undefined,
): Entry | NeedsReservation {
  const prepared = performWith(ports, run, step, found);
  if (!("reserve" in prepared)) return withCallsMade(prepared, step.agent);
  return { ...prepared, entryAfter: (reservation) => withCallsMade(prepared.entryAfter(reservation), step.agent) };
}

/** The call whose action a step of an agent needs. */
export function agentCall({ node, ...step }: AgentStep): NamedCall | undefined {
  return node.kind === "tool_call" && (step.do === "judge" || step.agent === undefined) ? node : undefined;
}

function performWith(
  ports: AgentPorts,
  run: ProposingRun,
  step: AgentStep,
  found: FoundAction | undefined,
): Entry | NeedsReservation {
  const action = found ?? { ok: false, message: "The node names no action.", code: "action_unavailable" };
  if (step.do === "prompt") {
    return step.agent === undefined ? begin(ports, run, step, action) : nextPrompt(ports, step, step.agent);
  }
  const { node } = step;
  return node.kind === "condition"
    ? judgeAnswer(ports, run, { ...step, node })
    : judgeCall(ports, run, { ...step, node }, action);
}

function begin(
  ports: AgentPorts,
  { procedure, state }: ProposingRun,
  { node, visit }: Extract<Step, { do: "prompt" }>,
  found: FoundAction,
): Entry {
  const atMs = ports.clock.now();
  const fail = (error: StepError): Entry => nodeFailed(node, visit, atMs, error);
  if (modelFor(ports.models, procedure.document.procedureId, purposeOf(node)) === undefined) {
    return fail({ message: missingModel(node) });
  }
  const { stepBytes } = ports.limits;
  if (node.kind === "condition") {
    return prompted(node, visit, 1, questionPrompt(state, questionOf(node), stepBytes), atMs);
  }
  // A node that cannot succeed fails before its model is asked.
  if (!found.ok) return fail(found);
  const fixed = fixedArguments(ports.limits, state, node);
  if (!fixed.ok) return fail(fixed);
  const call = fitToolName(found.action.name);
  const tools = { call, decline: toolOfDecline(call).name };
  return prompted(node, visit, 1, callPrompt(state, agentOf(node), fixed.value, tools, stepBytes), atMs);
}

/** Reports the outcome of the latest call to the agent, which then decides whether it is done. */
function nextPrompt(ports: AgentPorts, { node, visit }: Extract<Step, { do: "prompt" }>, agent: AgentState): Entry {
  const atMs = ports.clock.now();
  const call = agent.calls.at(-1);
  if (call === undefined) throw new Error(`The agent of "${node.id}" has made no call yet.`);
  const used = usedUp(node.id, budgetOf(node), agent);
  if (used !== undefined) return nodeFailed(node, visit, atMs, { message: used });
  return prompted(node, visit, agent.turns.length + 1, outcomeMessages(agent, call, ports.limits.stepBytes), atMs);
}

interface Judging<Node> {
  readonly node: Node;
  readonly visit: number;
  readonly agent: AgentState;
}

function judgeCall(
  ports: AgentPorts,
  run: ProposingRun,
  judging: Judging<CompiledToolCall>,
  found: FoundAction,
): Entry | NeedsReservation {
  const { node, visit, agent } = judging;
  const { state, procedure } = run;
  const atMs = ports.clock.now();
  if (!found.ok) return nodeFailed(node, visit, atMs, found);
  const reply = recordedReply(agent, node);
  const tool = toolOfAction(found.action, node.connection, fixedNames(procedure, node));
  const mayConclude = agent.calls.length > 0;
  const decline = toolOfDecline(tool.name);
  const verdict = judgeReply(reply, { tool, decline, mayConclude, depth: ports.limits.depth });
  switch (verdict.verdict) {
    case "proposed": {
      const frozen = freezeCall(ports.limits, state, node, found, verdict.arguments);
      if (!frozen.ok) {
        if (frozen.violations === undefined) return nodeFailed(node, visit, atMs, frozen);
        return wrong(ports, judging, reply, violationTexts(frozen.violations, tool.names));
      }
      return proposeCall(ports, run, {
        node,
        visit,
        call: agent.calls.length + 1,
        frozen: frozen.call,
        action: frozen.action,
        approvedDigest: undefined,
        atMs,
        agent: agentFacts(run, node, frozen.call),
      });
    }
    case "declined": {
      const { reason } = verdict;
      if (mayConclude) return { type: "concluded", atMs, nodeId: node.id, visit, text: reason };
      const shownReason = reason.slice(0, maxShownLength).toWellFormed();
      return nodeFailed(node, visit, atMs, {
        message: `The agent of "${node.id}" declined to call "${node.action}": ${shownReason}`,
      });
    }
    case "concluded":
      return { type: "concluded", atMs, nodeId: node.id, visit, text: verdict.text };
    default:
      return notUsable(ports, judging, reply, verdict);
  }
}

function judgeAnswer(
  ports: AgentPorts,
  { procedure, state }: ProposingRun,
  judging: Judging<CompiledCondition>,
): Entry {
  const { node, visit, agent } = judging;
  const atMs = ports.clock.now();
  const question = questionOf(node);
  const reply = recordedReply(agent, node);
  const tool = toolOfQuestion(question);
  const verdict = judgeReply(reply, { tool, mayConclude: false, depth: ports.limits.depth });
  if (verdict.verdict === "wrong" || verdict.verdict === "hopeless") return notUsable(ports, judging, reply, verdict);
  const answer = readAnswer(question, verdict.verdict === "proposed" ? verdict.arguments : {});
  if (!answer.ok) return wrong(ports, judging, reply, answer.problems);
  const { branch, reason, confidence } = answer;
  const needed = question.confidence;
  if (needed !== undefined && confidence !== undefined && confidence < needed.atLeast) {
    if (needed.otherwise === "fail") {
      const message = `The agent chose "${branch}" with a confidence of ${confidence}; "${node.id}" requires at least ${needed.atLeast}.`;
      return nodeFailed(node, visit, atMs, { message });
    }
    const proposed = { branch, reason, confidence };
    const title = procedure.document.nodes.find(({ id }) => id === node.id)?.title ?? node.id;
    const { startedBy } = state.facts;
    const text = textOf(reply);
    return askAboutAnswer(ports, { title, nodeId: node.id, visit, question, proposed, text, startedBy, atMs });
  }
  const stated = confidence === undefined ? {} : { confidence };
  return { type: "branch_taken", atMs, nodeId: node.id, visit, branch, reason, ...stated };
}

function notUsable(
  ports: AgentPorts,
  judging: Judging<AgentNode>,
  reply: ModelReply,
  verdict: Extract<Verdict, { verdict: "wrong" | "hopeless" }>,
): Entry {
  const { node, visit } = judging;
  if (verdict.verdict === "wrong") return wrong(ports, judging, reply, verdict.problems);
  return nodeFailed(node, visit, ports.clock.now(), {
    message: `The agent of "${node.id}" failed: ${verdict.message}`,
  });
}

/** Tells the model why its reply was unusable and lets it try again, up to {@link maxRepairs} times in a row. */
function wrong(
  { clock }: AgentPorts,
  { node, visit, agent }: Judging<AgentNode>,
  reply: ModelReply,
  problems: readonly string[],
): Entry {
  const atMs = clock.now();
  const last = problems.join(" ").slice(0, maxShownLength).toWellFormed();
  if (repairsSoFar(agent) >= maxRepairs) {
    const message = `The agent of "${node.id}" gave no usable reply after ${maxRepairs} corrections. Last problem: ${last}`;
    return nodeFailed(node, visit, atMs, { message });
  }
  const used = usedUp(node.id, budgetOf(node), agent);
  if (used !== undefined) return nodeFailed(node, visit, atMs, { message: `${used} Last problem: ${last}` });
  return prompted(node, visit, agent.turns.length + 1, problemMessages(reply, problems), atMs);
}

function prompted(node: AgentNode, visit: number, turn: number, added: readonly PromptMessage[], atMs: number): Entry {
  return { type: "prompted", atMs, nodeId: node.id, visit, turn, wants: wantsOf(node), added };
}

/** The message for a missing model: a version outlives the models that were configured when it was published. */
export function missingModel({ id, kind }: AgentNode): string {
  const what = kind === "condition" ? "question" : "instructions";
  return `Node "${id}" needs a language model for its ${what}, and this engine has none. Configure one.`;
}

/** The purpose that a node needs a model for. */
export function purposeOf({ kind }: AgentNode): ModelPurpose {
  return kind === "condition" ? "questions" : "arguments";
}

export function budgetOf(node: AgentNode): NodeBudget {
  return (node.kind === "condition" ? node.question?.budget : node.agent?.budget) ?? {};
}

function agentOf({ id, agent }: CompiledToolCall): NonNullable<CompiledToolCall["agent"]> {
  if (agent === undefined) throw new Error(`Node "${id}" has no agent.`);
  return agent;
}

export function questionOf({ id, question }: CompiledCondition): NonNullable<CompiledCondition["question"]> {
  if (question === undefined) throw new Error(`Node "${id}" asks no question.`);
  return question;
}

function recordedReply({ turns }: AgentState, { id }: { readonly id: string }): ModelReply {
  const reply = turns.at(-1)?.reply;
  if (reply === undefined) throw new Error(`The agent of "${id}" has not replied.`);
  return reply;
}
