import type { JsonValue } from "@procedo/contract";

/** What is another in every run or version, as prompts tell it, and the label that follows from the data. */
const ofTheRun = /"(runId|procedureVersion|createdAt)":"[^"]*"|\bdata-[0-9a-f]{16}\b/g;

/** A prompt without what says nothing of how the agent was asked, for comparing it with another. Pure. */
export function comparablePrompt(value: JsonValue): JsonValue {
  if (typeof value === "string") return value.replace(ofTheRun, "…");
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(comparablePrompt);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, comparablePrompt(member)]));
}
