import * as z from "zod";
import type { JsonValue } from "@procedo/contract";
import type { AuditEntry } from "@procedo/storage";

/** One entry of the workspace's chain in readable form. */
export interface WorkspaceChange {
  /** From 1, without a gap. */
  readonly seq: number;
  /** Hash of this entry and the chain before it. */
  readonly hash: string;
  /** Time of the change, in milliseconds since the epoch. */
  readonly atMs: number;
  /** `procedure.published`, `connection.created`, `checkpoint` … */
  readonly action: string;
  /** The person, or `procedo` for an action of the engine itself. */
  readonly by: string;
  /** The key or session with which they acted. */
  readonly via: string;
  /** The changed resource, such as the id of a procedure or a connection. */
  readonly subject: string;
  /** Facts of the change, which depend on `action`. */
  readonly details: JsonValue | undefined;
}

const bodySchema = z.object({
  atMs: z.number(),
  action: z.string(),
  by: z.string(),
  via: z.string(),
  subject: z.string(),
  // The text was parsed from JSON, so that every value is a JSON value. Validating a checkpoint's long list would be
  // slow.
  details: z.custom<JsonValue>().optional(),
});

/** `undefined` when the entry's body does not have the engine's format. */
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
