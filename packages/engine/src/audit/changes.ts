import * as z from "zod";
import type { JsonValue } from "@procedo/contract";
import type { AuditEntry } from "@procedo/storage";

/** One entry of the workspace's chain as a person reads it. */
export interface WorkspaceChange {
  /** From 1, without a gap. */
  readonly seq: number;
  readonly hash: string;
  readonly atMs: number;
  /** `procedure.published`, `connection.created`, `checkpoint` … */
  readonly action: string;
  /** The person; `procedo` for what the engine did by itself. */
  readonly by: string;
  /** The key or session that was used. */
  readonly via: string;
  readonly subject: string;
  readonly details: JsonValue | undefined;
}

const bodySchema = z.object({
  atMs: z.number(),
  action: z.string(),
  by: z.string(),
  via: z.string(),
  subject: z.string(),
  // Parsed from JSON, so that it can be nothing else; a checkpoint's list is long.
  details: z.custom<JsonValue>().optional(),
});

/** `undefined` when the entry's body is not one that the engine writes. */
export function readChange({ seq, hash, body }: AuditEntry): WorkspaceChange | undefined {
  const fact = bodySchema.safeParse(parsed(body)).data;
  return fact && { seq, hash, ...fact, details: fact.details };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
