import type { CompiledCondition, CompiledEnd, CompiledHumanReview, CompiledToolCall } from "../compiled.ts";
import type { AgentState, Prompted } from "./conversation.ts";
import type { ApprovedCall, ReadyCall } from "./state.ts";
import type { Intent, OpenReview, RunResult } from "./journal.ts";

/**
 * The next step for the run's owner. The owner evaluates, calls and waits; the interpreter only decides which. Every
 * step except `wait` and `done` ends in journal entries, which are folded before the next call of `next`.
 */
export type Step =
  /** Evaluate the branches: `branch_taken`, or `node_failed`. */
  | { readonly do: "choose"; readonly node: CompiledCondition; readonly visit: number }
  /**
   * Send the agent its task, or the result of its latest call: `prompted`, or `node_failed`. Without an `agent` the
   * conversation begins.
   */
  | {
      readonly do: "prompt";
      readonly node: AgentNode;
      readonly visit: number;
      readonly agent: AgentState | undefined;
    }
  /** Make the prompt durable, then ask the model: `replied`. */
  | {
      readonly do: "ask_model";
      readonly node: AgentNode;
      readonly visit: number;
      readonly turn: number;
      readonly attempt: number;
      readonly agent: AgentState;
    }
  /**
   * Judge the reply: a proposed call (`intent`, or `review_opened` or `node_failed` by its guards), an answer
   * (`branch_taken`, or `review_opened`), the end (`concluded`), a faulty reply (`prompted`), or the last allowed
   * faulty reply (`node_failed`).
   */
  | { readonly do: "judge"; readonly node: AgentNode; readonly visit: number; readonly agent: AgentState }
  /**
   * Render the arguments (or use the approved call) and check the guards: `intent`, `review_opened` or `node_failed`.
   */
  | {
      readonly do: "propose";
      readonly node: CompiledToolCall;
      readonly visit: number;
      readonly approved: ApprovedCall | undefined;
    }
  /** Write the `intent` of a frozen call, or the entry that replaces a repetition that comes too late. */
  | { readonly do: "intend"; readonly node: CompiledToolCall; readonly visit: number; readonly call: ReadyCall }
  /** Make the intent durable, then make the call: `outcome`. */
  | { readonly do: "call"; readonly node: CompiledToolCall; readonly intent: Intent }
  /**
   * Make the intent durable, which dispatches the call, and wait for its result until `sendByMs`. Then, or if the run
   * is cancelled, withdraw the call and record the known result: `outcome`.
   */
  | { readonly do: "await"; readonly node: CompiledToolCall; readonly intent: Intent; readonly cancelled: boolean }
  /**
   * The owner that made this call is gone: decide from its effect whether its outcome is `unknown` or it may be made
   * again.
   */
  | { readonly do: "reconsider"; readonly node: CompiledToolCall; readonly intent: Intent }
  /** Ask people for the outcome of a call: `review_opened`. */
  | {
      readonly do: "ask_outcome";
      readonly node: CompiledToolCall;
      readonly intent: Intent;
      readonly reason: string;
      /** Whether the only possible answer was received. */
      readonly answered: boolean;
      /** Until then, the lost owner may still be making the call. */
      readonly notBeforeMs: number | undefined;
    }
  /** Render and freeze the content of the review and the covered call: `review_opened`, or `node_failed`. */
  | {
      readonly do: "ask";
      readonly node: CompiledHumanReview;
      readonly visit: number;
      readonly covered: CompiledToolCall | undefined;
    }
  /** Render the event's payload: `emitted`, or `node_failed`. */
  | { readonly do: "emit"; readonly node: CompiledToolCall; readonly visit: number }
  /** Render the output: `ended`. */
  | { readonly do: "finish"; readonly node: CompiledEnd }
  /** Write the end that was already decided: `ended`. */
  | { readonly do: "end"; readonly result: RunResult; readonly nodeId: string }
  /** Wait until `untilMs` (`undefined`: for a notification). */
  | { readonly do: "wait"; readonly untilMs: number | undefined; readonly review: OpenReview | undefined }
  /** The run has ended. */
  | { readonly do: "done"; readonly result: RunResult };

/** A node that an agent executes: a tool call with instructions, or a condition with a question. */
export type AgentNode = CompiledToolCall | CompiledCondition;

/** The request in a prompt of such a node. */
export function wantsOf(node: AgentNode): Prompted["wants"] {
  return node.kind === "condition" ? "answer" : { calls: node.agent?.maxCalls ?? 1 };
}
