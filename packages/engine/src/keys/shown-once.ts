import { ProcedoError } from "@procedo/contract";
import type { AuditFact } from "../audit/audit-log.ts";

/** Of a request whose answer alone shows a secret. */
export interface ShownOnce {
  /**
   * Whether the caller still waits for the answer. When it does not, nothing is written, and what was written meanwhile is
   * undone: no key, token or webhook stays whose secret was not given out. An answer that is lost on its way is not noticed.
   *
   * @defaultValue it does
   */
  readonly isAwaited?: (() => boolean) | undefined;
}

/**
 * Writes a secret whose one answer the caller waits for.
 *
 * A secret that took the place of another one is undone as well: the old one holds again. Between the two writes it was
 * refused, which stops a private connection's client that asked just then until it is started again. Without the undo, all
 * clients would stop until a person makes a token again and brings it to them.
 *
 * @throws ProcedoError `overloaded` when the caller waits no longer; nothing is written then, or it is undone. The error of an
 *   undo that failed: the key, token or webhook stays, listed and in the audit chain as made, and can be removed
 */
export async function writeShownOnce<T>(
  { isAwaited = () => true }: ShownOnce,
  work: { write(): Promise<T>; undo(): Promise<unknown> },
): Promise<T> {
  if (!isAwaited()) throw notAwaited();
  const written = await work.write();
  if (isAwaited()) return written;
  await work.undo();
  throw notAwaited();
}

/** The fact that a change is undone, also for a key that was deleted meanwhile. */
export function undone({ isRevoked: _, ...fact }: AuditFact, action: string): AuditFact {
  return { ...fact, action, details: { because: "The answer with the secret was not waited for." } };
}

function notAwaited(): ProcedoError {
  const message =
    "The answer with the secret is not waited for any more, so nothing was changed. Send the request again.";
  return new ProcedoError("overloaded", message);
}
