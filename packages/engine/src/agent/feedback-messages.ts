import type { JsonObject, JsonValue } from "@procedo/contract";
import type { AgentCall, AgentState, FailedCall, ModelReply, PromptMessage } from "@procedo/procedure";
import { callsIn } from "./judge-reply.ts";
import { withinBytes } from "./prompt-data.ts";

/* The prompts that follow a reply of the model. */

/** Bytes of a result that a model is shown; a larger result is shown in part. */
const maxResultBytes = 64 * 1024;

/**
 * The outcome of the call that the model proposed last. The result comes from outside: it is a separate value, which
 * the rules of the conversation declare to be data.
 */
export function outcomeMessages(
  { turns }: AgentState,
  { result }: AgentCall,
  maxBytes: number,
): readonly PromptMessage[] {
  const failed = "error" in result;
  const shown = withinBytes(failed ? result.error : result.output, Math.min(maxResultBytes, maxBytes));
  const output: JsonValue = {
    outcome: failed ? "failed" : "done",
    [failed ? "error" : "result"]: shown.data,
    ...(failed && responseOf(result)),
    ...(shown.leftOut.length > 0 && { leftOut: shown.leftOut }),
  };
  const [call] = callsIn(turns.at(-1)?.reply?.content ?? []);
  if (call === undefined) return [];
  const { toolCallId, toolName } = call;
  return [{ role: "tool", toolCallId, toolName, output, ...(failed && { isError: true }) }];
}

/** The service's status and reason for a refusal: the message alone may name only the status. */
function responseOf({ errorDetails: { status, reason } = {} }: FailedCall): JsonObject {
  return { ...(status !== undefined && { status }), ...(reason !== undefined && { reason }) };
}

/**
 * The reasons why a reply was not used. Providers require an answer to each call of a reply, so each call gets the same
 * answer; a reply without calls is answered with a text.
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

/** Corrections in a row that the model has received: since its first prompt, or since its latest call. */
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
