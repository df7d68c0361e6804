import type { JsonObject } from "@procedo/contract";
import type { ModelPrompt } from "./model-types.ts";

/**
 * The run's data in a prompt of the engine: JSON in the line between two labels.
 *
 * @throws Error if the prompt has no such message, or if the labels do not enclose it exactly
 */
export function dataOf(prompt: ModelPrompt): JsonObject {
  const message = prompt.find(({ role }) => role === "user");
  const part = message?.role === "user" ? message.content[0] : undefined;
  const [, opening = "", json = "", closing, ...more] = part?.type === "text" ? part.text.split("\n") : [];
  const label = /^\[(data-[0-9a-f]{16})\]$/.exec(opening)?.[1];
  if (label === undefined || closing !== `[/${label}]` || more.length > 0 || json.includes(label)) {
    throw new Error("The data of a prompt do not stand between its labels.");
  }
  return JSON.parse(json) as JsonObject;
}
