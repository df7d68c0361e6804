import type { AgentState, Entry, RetryPolicy, Step } from "@procedo/procedure";
import type { BudgetSettlement } from "@procedo/storage";
import { usedUp } from "../budgets/node-budget.ts";
import type { BudgetPorts } from "../budgets/reserve-call.ts";
import { reserveTurn, settleTurn, type ReservedTurn, type TurnReservation } from "../budgets/turn-budgets.ts";
import type { ResolveConnection } from "../connections/resolved-connection.ts";
import { findAction, type FoundAction } from "../calls/find-action.ts";
import type { ProposingRun } from "../calls/propose-call.ts";
import { nodeFailed } from "../calls/node-failed.ts";
import { retryDelayMs } from "../calls/retry-delay.ts";
import type { Notice } from "../ports/notice.ts";
import type { Random } from "../ports/random.ts";
import { fixedNames } from "./agent-facts.ts";
import { budgetOf, missingModel, purposeOf, questionOf, type AgentPorts } from "./agent-step.ts";
import type { ModelRequest, OfferedTool } from "../models/model-request.ts";
import { askModel, promptCharacters, type ModelAttempt, type ModelPorts } from "../models/ask-model.ts";
import { withCallsMade } from "./calls-made.ts";
import { modelFor, modelSettings } from "../models/models.ts";
import { messagesOf } from "./prompt.ts";
import { toolOfAction, toolOfDecline, toolOfQuestion } from "./tool-of-node.ts";

export type ModelStep = Extract<Step, { do: "ask_model" }>;

export interface TurnPorts extends AgentPorts, BudgetPorts, Pick<ModelPorts, "unforced"> {
  readonly resolveConnection: ResolveConnection;
  readonly random: Pick<Random, "uniform">;
}

/** The worker that owns the run while its model is asked. */
export interface AskingWorker {
  /** The reason why the model may not be asked; `undefined` while the lease is valid. */
  readonly leaseViolation: () => string | undefined;
  /** Given when the worker stops and no longer waits. */
  readonly aborted: Notice;
  /** Given when the run is cancelled, which ends the wait for its model. @defaultValue the run is never cancelled */
  readonly cancelled?: Notice;
}

/** The end of a turn. */
export type TurnEnd =
  | {
      readonly kind: "recorded";
      readonly entry: Entry;
      /** The budget settlement that is stored with the entry's row. */
      readonly settlement: BudgetSettlement | undefined;
    }
  /** The worker stopped, or lost its lease before it asked the model. The next owner of the run asks again. */
  | { readonly kind: "abandoned" };

/** Retries of one prompt, for a model that could not answer. */
const policy: RetryPolicy = { maxAttempts: 4, initialDelayMs: 1_000, maxDelayMs: 30_000 };

/**
 * Makes one attempt to ask the model with a durable prompt.
 *
 * @throws ProcedoError `storage_unavailable`, before the model is asked; the call may then be repeated
 */
export async function askForReply(
  ports: TurnPorts,
  run: ProposingRun,
  { leaseViolation, aborted, cancelled }: AskingWorker,
  step: ModelStep,
): Promise<TurnEnd> {
  const { node, visit, turn, attempt, agent } = step;
  const { procedure } = run;
  const endWith = (entry: Entry, settlement?: BudgetSettlement): TurnEnd => ({
    kind: "recorded",
    entry: withCallsMade(entry, agent),
    settlement,
  });
  const fail = (message: string): TurnEnd => endWith(nodeFailed(node, visit, ports.clock.now(), { message }));
  const used = usedUp(node.id, budgetOf(node), agent);
  if (used !== undefined) return fail(used);
  const model = modelFor(ports.models, procedure.document.procedureId, purposeOf(node));
  if (model === undefined) return fail(missingModel(node));
  const found = await toolsOf(ports, run, node);
  if (!found.ok) return endWith(nodeFailed(node, visit, ports.clock.now(), found));

  const request: ModelRequest = {
    messages: messagesOf(agent),
    tools: found.tools,
    toolChoice: choiceFor(agent),
    aborted,
    ...(cancelled && { cancelled }),
  };
  const reserved = await reserve(ports, run, step, request, modelSettings(model).maxOutputTokens);
  if (reserved?.ok === false) return endWith(nodeFailed(node, visit, ports.clock.now(), reserved.error));
  if (leaseViolation() !== undefined) return { kind: "abandoned" };

  const answer = await askModel(ports, model, request);
  // A reply that arrived in time is kept; storage decides whether this worker may still commit it.
  if (answer.result.status === "error" && aborted.given) return { kind: "abandoned" };
  const atMs = ports.clock.now();
  // A missing reply does not fail the node of a cancelled run: the cancellation ends the run.
  const retryAtMs = cancelled?.given === true ? atMs : retryTime(answer, attempt, atMs, ports.random.uniform());
  const { result, latencyMs } = answer;
  const entry: Entry = {
    ...{ type: "replied", atMs, nodeId: node.id, visit, turn, attempt, result, latencyMs },
    ...(retryAtMs !== undefined && result.status === "error" && { retryAtMs }),
  };
  return endWith(entry, reserved && settlementOf(reserved, answer));
}

/** Reserves the turn in the day's budgets; `undefined` if the procedure has none. */
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

type FoundTools = { readonly ok: true; readonly tools: readonly OfferedTool[] } | Extract<FoundAction, { ok: false }>;

async function toolsOf(ports: TurnPorts, run: ProposingRun, node: ModelStep["node"]): Promise<FoundTools> {
  if (node.kind === "condition") return { ok: true, tools: [toolOfQuestion(questionOf(node))] };
  const found = await findAction(ports.resolveConnection, run.state.facts.environment, node);
  if (!found.ok) return found;
  const tool = toolOfAction(found.action, node.connection, fixedNames(run.procedure, node));
  return { ok: true, tools: [tool, toolOfDecline(tool.name)] };
}

/** Forces a call until one was made: before that, text alone neither proposes a call nor gives a reason against it. */
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
