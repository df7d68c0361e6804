import type { Entry, Intent } from "@procedo/procedure";

/** The facts that an entry may omit because the entries before it state them. */
export interface EncodingContext {
  readonly runId: string;
  /** Time of the preceding entry; for the first entry of a row, the time at the head of the row. */
  readonly atMs: number;
  /** The latest intent. */
  readonly intent: Intent | undefined;
}

export function contextAfter(entry: Entry, { runId, intent }: EncodingContext): EncodingContext {
  return { runId, atMs: entry.atMs, intent: entry.type === "intent" ? entry : intent };
}
