import type { JsonObject, JsonValue } from "@procedo/contract";
import type { AgentCall, AgentState, FailedCall, ModelReply, PromptMessage } from "@procedo/procedure";
import { callsIn } from "./judge-reply.ts";
import { withinBytes } from "./prompt-data.ts";

/** What a prompt that follows a reply says to the model. */

/** Of a result as a model is told it; what is larger is told in part. */
const maxResultBytes = 64 * 1024;

/**
 * What became of the call that the model proposed last. The result is the outside's word: it stands as a value of its own,
 * which the rules of the conversation name as data.
 */
export function outcomeMessages(
  { turns }: AgentState,
  { result }: AgentCall,
  maxBytes: number,
): readonly PromptMessage[] {
  const failed = "error" in result;
  const told = withinBytes(failed ? result.error : result.output, Math.min(maxResultBytes, maxBytes));
  const output: JsonValue = {
    outcome: failed ? "failed" : "done",
    [failed ? "error" : "result"]: told.data,
    ...(failed && saidBy(result)),
    ...(told.leftOut.length > 0 && { leftOut: told.leftOut }),
  };
  const [call] = callsIn(turns.at(-1)?.reply?.content ?? []);
  if (call === undefined) return [];
  const { toolCallId, toolName } = call;
  return [{ role: "tool", toolCallId, toolName, output, ...(failed && { isError: true }) }];
}

/** What the other service says of a refusal; its reason is at hand where the message names no more than a status. */
function saidBy({ errorDetails: { status, reason } = {} }: FailedCall): JsonObject {
  return { ...(status !== undefined && { status }), ...(reason !== undefined && { reason }) };
}

/**
 * Why nothing came of a reply. Providers want each call of a reply answered, so that each gets the same answer; a reply
 * without one is answered in words.
 */
export function problemMessages(reply: ModelReply, problems: readonly string[]): readonly PromptMessage[] {
  const calls = callsIn(reply.content);
  const ids = new Set<string>();
  const output: JsonValue = { outcome: notMade, problems };
  const answers = calls.flatMap(({ toolCallId, toolName }): PromptMessage[] => {
    if (ids.has(toolCallId)) return [];
    ids.add(toolCallId);
    return [{ role: "tool", toolCallId, toolName, output, isError: true }];
  });
  return answers.length > 0 ? answers : [{ role: "user", text: problems.join("\n") }];
}

/** How often in a row the model was told that nothing came of its reply: since it began, or since its latest call. */
export function repairsSoFar({ turns }: Pick<AgentState, "turns">): number {
  const last = turns.findLastIndex(({ added }) => !added.every(isRepair));
  return turns.length - 1 - last;
}

const notMade = "not_made";

function isRepair(message: PromptMessage): boolean {
  switch (message.role) {
    case "system":
      return false;
    case "user":
      return true;
    case "tool": {
      const { output } = message;
      return typeof output === "object" && output !== null && "outcome" in output && output.outcome === notMade;
    }
  }
}
