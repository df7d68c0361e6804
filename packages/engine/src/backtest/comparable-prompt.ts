import type { JsonValue } from "@procedo/contract";

/** Values in prompts that differ in every run or version, and the label that is derived from the data. */
const ofTheRun = /"(runId|procedureVersion|createdAt)":"[^"]*"|\bdata-[0-9a-f]{16}\b/g;

/** A prompt without the values that differ in every run, for comparison with another prompt. Pure. */
export function comparablePrompt(value: JsonValue): JsonValue {
  if (typeof value === "string") return value.replace(ofTheRun, "…");
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(comparablePrompt);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, comparablePrompt(member)]));
}
