import type {
  CompiledProcedure,
  Entry,
  ModelResult,
  Prompted,
  NodeFailed,
  Replied,
  RunState,
  Step,
} from "@procedo/procedure";
import type { Scope } from "@procedo/storage";
import { fixedNames } from "../agent/agent-facts.ts";
import { purposeOf, questionOf } from "../agent/agent-step.ts";
import type { OfferedTool } from "../models/model-request.ts";
import { promptCharacters } from "../models/ask-model.ts";
import { withCallsMade } from "../agent/calls-made.ts";
import { mayHaveWorked } from "../models/model-status.ts";
import { modelFor, modelSettings, type AgentModels } from "../models/models.ts";
import { messagesOf } from "../agent/prompt.ts";
import { toolOfAction, toolOfDecline, toolOfQuestion } from "../agent/tool-of-node.ts";
import { settleTurn } from "../budgets/turn-budgets.ts";
import type { ResolveConnection } from "../connections/resolved-connection.ts";
import { findAction } from "../calls/find-action.ts";
import { nodeFailed } from "../calls/node-failed.ts";
import type { RunBudgets } from "./backtest-budgets.ts";
import { exhaustedBudget, hadRoom, type RecordedRoom } from "./recorded-budgets.ts";
import type { RecordedRun } from "./recorded-run.ts";
import type { DayBudget } from "./unchanged-nodes.ts";

/** A turn in the record: its prompt, and its reply or the failure of the node. */
export interface RecordedTurn {
  readonly prompt: Prompted | undefined;
  readonly reply: Replied | undefined;
  readonly failure: NodeFailed | undefined;
}

/** Reserves a turn in the day's budgets. Returns the failure of the node if a budget has no room. */
export type TakeTurn = (step: ModelStep, recorded: RecordedTurn) => Promise<Entry | undefined>;

export interface TurnTaking {
  readonly record: Pick<RecordedRun, "hasEnded">;
  readonly budgets: Pick<RunBudgets, "reserveTurn" | "settle" | "isPossible">;
  /** The run of the turn. */
  readonly run: { readonly procedure: CompiledProcedure; readonly state: RunState; readonly scope: Scope };
  /** The models, whose `maxOutputTokens` bound a reply. */
  readonly models: AgentModels;
  readonly resolveConnection: ResolveConnection;
  readonly nowMs: number;
}

/** Reserves a recorded turn in the backtest's budgets of a day, as `model-turn.ts` does in the engine. */
export function createTakeTurn({ record, budgets, run, models, resolveConnection, nowMs }: TurnTaking): TakeTurn {
  return async (step, recorded) => {
    const { node, visit, turn, attempt, agent } = step;
    const { procedure, state, scope } = run;
    const { facts, counts } = state;
    if (procedure.document.budgets?.day === undefined) return undefined;
    const tools = await toolsOf(resolveConnection, run, node);
    const model = modelFor(models, procedure.document.procedureId, purposeOf(node));
    const request = {
      ...{ scope, runId: facts.runId, nodeId: node.id, visit, turn, attempt, recoveries: counts.recoveries },
      promptCharacters: promptCharacters({ messages: messagesOf(agent), tools }),
      maxOutputTokens: model === undefined ? 0 : modelSettings(model).maxOutputTokens,
      atMs: nowMs,
    };
    const reserved = await budgets.reserveTurn(procedure, request, (of) => roomIn(record, recorded, of));
    if (reserved === undefined) return undefined;
    if (!reserved.ok) {
      const { failure } = recorded;
      const refused = nodeFailed(node, visit, nowMs, reserved.error);
      const isRecorded =
        failure !== undefined &&
        budgets.isPossible(failure) &&
        exhaustedBudget(failure)?.of === exhaustedBudget(refused)?.of;
      return isRecorded ? failure : withCallsMade(refused, agent);
    }
    if (recorded.reply !== undefined) budgets.settle(settleTurn(reserved, usageOf(recorded.reply.result)));
    return undefined;
  };
}

/**
 * The recorded answer for one budget of a day. A turn with a reply had room in all budgets; a turn without one failed
 * because of one budget, and the budgets checked before it had room.
 */
function roomIn(
  { hasEnded }: TurnTaking["record"],
  { prompt, reply, failure }: RecordedTurn,
  of: DayBudget,
): RecordedRoom | undefined {
  if (reply !== undefined) return hadRoom;
  if (prompt === undefined) return undefined;
  const exhausted = failure && exhaustedBudget(failure);
  if (exhausted === undefined) return hasEnded ? undefined : hadRoom;
  if (exhausted.of === of) return { ...hadRoom, hadRoom: false, taken: exhausted.taken };
  return exhausted.of === "tokens" ? hadRoom : undefined;
}

async function toolsOf(
  resolve: ResolveConnection,
  { procedure, state }: TurnTaking["run"],
  node: ModelStep["node"],
): Promise<readonly OfferedTool[]> {
  if (node.kind === "condition") return [toolOfQuestion(questionOf(node))];
  const found = await findAction(resolve, state.facts.environment, node);
  if (!found.ok) return [];
  const tool = toolOfAction(found.action, node.connection, fixedNames(procedure, node));
  return [tool, toolOfDecline(tool.name)];
}

/**
 * The tokens of a recorded turn; `undefined` if unknown. A request without a reply used none only if it was refused.
 */
function usageOf(result: ModelResult) {
  if (result.status === "ok") return result.reply.usage;
  const { details } = result.error;
  const status = typeof details === "object" && details !== null && "status" in details ? details.status : undefined;
  return typeof status === "number" && !mayHaveWorked(status) ? { inputTokens: 0, outputTokens: 0 } : undefined;
}

export type ModelStep = Extract<Step, { do: "ask_model" }>;
