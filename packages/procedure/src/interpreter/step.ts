import type { CompiledCondition, CompiledEnd, CompiledHumanReview, CompiledToolCall } from "../compiled.ts";
import type { AgentState, Prompted } from "./conversation.ts";
import type { ApprovedCall, ReadyCall } from "./state.ts";
import type { Intent, OpenReview, RunResult } from "./journal.ts";

/**
 * What the run's owner does next. The owner evaluates, calls and waits; the interpreter only says which. Each step but
 * `wait` and `done` ends in journal entries that are folded before `next` is asked again.
 */
export type Step =
  /** Evaluate the branches: `branch_taken`, or `node_failed`. */
  | { readonly do: "choose"; readonly node: CompiledCondition; readonly visit: number }
  /**
   * Say to the agent what it is to do, or what became of its latest call: `prompted`, or `node_failed`. Without an `agent` the
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
   * Decide what the reply comes to: the call it proposes (`intent`, or `review_opened` or `node_failed` by its guards), an answer
   * (`branch_taken`, or `review_opened`), the end (`concluded`), what was wrong with it (`prompted`), or that it was the last (`node_failed`).
   */
  | { readonly do: "judge"; readonly node: AgentNode; readonly visit: number; readonly agent: AgentState }
  /** Render the arguments (or take the approved call), check the guards: `intent`, `review_opened` or `node_failed`. */
  | {
      readonly do: "propose";
      readonly node: CompiledToolCall;
      readonly visit: number;
      readonly approved: ApprovedCall | undefined;
    }
  /** Write the `intent` of a call that is already frozen, or what stands in place of a repetition that comes too late. */
  | { readonly do: "intend"; readonly node: CompiledToolCall; readonly visit: number; readonly call: ReadyCall }
  /** Make the intent durable, then make the call: `outcome`. */
  | { readonly do: "call"; readonly node: CompiledToolCall; readonly intent: Intent }
  /**
   * Make the intent durable, which hands the call out, and wait for its result until `sendByMs`. Then, or when the run is
   * cancelled, take it back and say what is known of it: `outcome`.
   */
  | { readonly do: "await"; readonly node: CompiledToolCall; readonly intent: Intent; readonly cancelled: boolean }
  /** The owner that held this call is gone: decide from its effect whether it is `unknown` or may be made again. */
  | { readonly do: "reconsider"; readonly node: CompiledToolCall; readonly intent: Intent }
  /** Ask a person what became of a call: `review_opened`. */
  | {
      readonly do: "ask_outcome";
      readonly node: CompiledToolCall;
      readonly intent: Intent;
      readonly reason: string;
      /** Whether the only answer that can come has come. */
      readonly answered: boolean;
      /** Until then the lost owner of the call may still be making it. */
      readonly notBeforeMs: number | undefined;
    }
  /** Render and freeze what the reviewer sees, and the call that is covered: `review_opened`, or `node_failed`. */
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
  /** Write the end that is already decided: `ended`. */
  | { readonly do: "end"; readonly result: RunResult; readonly nodeId: string }
  /** Nothing to do before `untilMs` (`undefined`: before a notification). */
  | { readonly do: "wait"; readonly untilMs: number | undefined; readonly review: OpenReview | undefined }
  | { readonly do: "done"; readonly result: RunResult };

/** A node that an agent executes: a tool call with instructions, or a condition with a question. */
export type AgentNode = CompiledToolCall | CompiledCondition;

/** What a prompt of such a node says that it asks for. */
export function wantsOf(node: AgentNode): Prompted["wants"] {
  return node.kind === "condition" ? "answer" : { calls: node.agent?.maxCalls ?? 1 };
}
