import type { AgentState, Entry, RetryPolicy, Step } from "@procedo/procedure";
import type { BudgetSettlement } from "@procedo/storage";
import { usedUp } from "../budgets/node-budget.ts";
import { reserveTurn, settleTurn, type ReservedTurn, type TurnReservation } from "../budgets/turn-budgets.ts";
import { findAction } from "../calls/find-action.ts";
import type { ProposingRun } from "../calls/propose-call.ts";
import { nodeFailed } from "../calls/node-failed.ts";
import { retryDelayMs } from "../calls/retry-delay.ts";
import type { Notice } from "../ports/notice.ts";
import type { Random } from "../ports/random.ts";
import { fixedNames } from "./agent-facts.ts";
import { budgetOf, missingModel, purposeOf, questionOf, type AgentPorts } from "./agent-step.ts";
import type { ModelRequest, OfferedTool } from "../models/model-request.ts";
import { askModel, promptCharacters, type ModelAttempt, type ModelPorts } from "../models/ask-model.ts";
import { tellCallsMade } from "./calls-made.ts";
import { modelFor, modelSettings } from "../models/models.ts";
import { messagesOf } from "./prompt.ts";
import { toolOfAction, toolOfDecline, toolOfQuestion } from "./tool-of-node.ts";

export type ModelStep = Extract<Step, { do: "ask_model" }>;

export interface TurnPorts extends AgentPorts, Pick<ModelPorts, "unforced"> {
  readonly random: Pick<Random, "uniform">;
}

/** The worker in whose hands the model is asked. */
export interface AskingWorker {
  /** Why nothing may be asked now; `undefined` while the lease is good. */
  readonly leaseViolation: () => string | undefined;
  /** Given when the worker stops and waits no longer. */
  readonly aborted: Notice;
  /** Given when the run is cancelled: its model is not waited for. @defaultValue it never is */
  readonly cancelled?: Notice;
}

/** What became of a turn. */
export type TurnEnd =
  | {
      readonly kind: "told";
      readonly entry: Entry;
      /** What the row of the entry settles. */
      readonly settlement: BudgetSettlement | undefined;
    }
  /** The worker stopped, or lost its lease before it had asked. The next owner of the run asks the model again. */
  | { readonly kind: "let_go" };

/** A model that could not answer is asked again with the same prompt. */
const policy: RetryPolicy = { maxAttempts: 4, initialDelayMs: 1_000, maxDelayMs: 30_000 };

/**
 * Makes one attempt to ask the model with a prompt that is durable.
 *
 * @throws ProcedoError `storage_unavailable`, before the model is asked; it may then be repeated
 */
export async function askForReply(
  ports: TurnPorts,
  run: ProposingRun,
  { leaseViolation, aborted, cancelled }: AskingWorker,
  step: ModelStep,
): Promise<TurnEnd> {
  const { node, visit, turn, attempt, agent } = step;
  const { procedure } = run;
  const told = (entry: Entry, settlement?: BudgetSettlement): TurnEnd => ({
    kind: "told",
    entry: tellCallsMade(entry, agent),
    settlement,
  });
  const fail = (message: string): TurnEnd => told(nodeFailed(node, visit, ports.clock.now(), { message }));
  const used = usedUp(node.id, budgetOf(node), agent);
  if (used !== undefined) return fail(used);
  const model = modelFor(ports.models, procedure.document.procedureId, purposeOf(node));
  if (model === undefined) return fail(missingModel(node));
  const found = await toolsOf(ports, run, node);
  if (!found.ok) return fail(found.message);

  const request: ModelRequest = {
    messages: messagesOf(agent),
    tools: found.tools,
    toolChoice: choiceFor(agent),
    aborted,
    ...(cancelled && { cancelled }),
  };
  const reserved = await reserve(ports, run, step, request, modelSettings(model).maxOutputTokens);
  if (reserved?.ok === false) return told(nodeFailed(node, visit, ports.clock.now(), reserved.error));
  if (leaseViolation() !== undefined) return { kind: "let_go" };

  const asked = await askModel(ports, model, request);
  // What was answered in time is worth keeping; storage knows whether this worker still may.
  if (asked.result.status === "error" && aborted.given) return { kind: "let_go" };
  const atMs = ports.clock.now();
  // What a cancelled run was not answered ends no node: the cancel ends it.
  const retryAtMs = cancelled?.given === true ? atMs : retryTime(asked, attempt, atMs, ports.random.uniform());
  const { result, latencyMs } = asked;
  const entry: Entry = {
    ...{ type: "replied", atMs, nodeId: node.id, visit, turn, attempt, result, latencyMs },
    ...(retryAtMs !== undefined && result.status === "error" && { retryAtMs }),
  };
  return told(entry, reserved && settlementOf(reserved, asked));
}

/** Takes the turn's place in the day's budgets, where the procedure has any. */
async function reserve(
  ports: TurnPorts,
  { procedure, state, writer }: ProposingRun,
  { node, visit, turn, attempt }: ModelStep,
  request: ModelRequest,
  maxOutputTokens: number,
): Promise<TurnReservation | undefined> {
  if (procedure.document.budgets?.day === undefined) return undefined;
  const { scope } = writer.head;
  const { runId } = state.facts;
  return await reserveTurn(ports, procedure, {
    scope,
    runId,
    nodeId: node.id,
    visit,
    turn,
    attempt,
    maxOutputTokens,
    recoveries: state.counts.recoveries,
    promptCharacters: promptCharacters(request),
    atMs: ports.clock.now(),
  });
}

type FoundTools =
  { readonly ok: true; readonly tools: readonly OfferedTool[] } | { readonly ok: false; readonly message: string };

async function toolsOf(ports: TurnPorts, run: ProposingRun, node: ModelStep["node"]): Promise<FoundTools> {
  if (node.kind === "condition") return { ok: true, tools: [toolOfQuestion(questionOf(node))] };
  const found = await findAction(ports.resolveConnection, run.state.facts.environment, node);
  if (!found.ok) return found;
  const tool = toolOfAction(found.action, node.connection, fixedNames(run.procedure, node));
  return { ok: true, tools: [tool, toolOfDecline(tool.name)] };
}

/** Until there is a call, text alone is no answer: neither a call nor a reason against it. */
function choiceFor({ calls }: AgentState): ModelRequest["toolChoice"] {
  return calls.length === 0 ? "required" : "auto";
}

function retryTime(
  { result, retry }: ModelAttempt,
  attempt: number,
  nowMs: number,
  uniform: number,
): number | undefined {
  if (result.status === "ok" || retry === undefined || attempt >= policy.maxAttempts) return undefined;
  return nowMs + retryDelayMs(policy, attempt, uniform, retry.afterMs);
}

function settlementOf(reserved: ReservedTurn, { result, cost }: ModelAttempt): BudgetSettlement | undefined {
  if (result.status === "ok") return settleTurn(reserved, result.reply.usage);
  return settleTurn(reserved, cost === "call" ? { inputTokens: 0, outputTokens: 0 } : cost);
}
