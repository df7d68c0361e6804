import type { InvocationResult } from "@procedo/contract";
import { copyJson, type JsonLimits } from "../json/json-copy.ts";
import type { ClientNotification } from "../inbox/notification.ts";

const maxMessageLength = 2_000;

/**
 * The notification of a result. After an output that cannot be stored the effect is unknown, since the function ran.
 */
export function notificationOf(result: InvocationResult, limits: JsonLimits): ClientNotification {
  if (result.status === "error") {
    const message = result.error.slice(0, maxMessageLength).toWellFormed();
    const shown = message === "" ? "The function failed without a message." : message;
    return { type: "failed", failure: { effect: "none", message: shown } };
  }
  if (result.output === undefined) return { type: "returned" };
  const copy = copyJson(result.output, limits);
  if (copy.ok) return { type: "returned", output: copy.value };
  return {
    type: "failed",
    failure: { effect: "unknown", message: `The function answered, but its output ${copy.message}.` },
  };
}
