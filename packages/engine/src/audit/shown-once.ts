import { ProcedoError } from "@procedo/contract";
import type { AuditFact } from "./audit-log.ts";

/** Options of a request whose answer is the only one to show a secret. */
export interface ShownOnce {
  /**
   * Whether the caller still waits for the answer. If not, nothing is written, or the write is undone, so that no key,
   * token, session or webhook remains whose secret was never delivered. The loss of an answer on its way is not detected.
   *
   * @defaultValue always true
   */
  readonly isAwaited?: (() => boolean) | undefined;
}

/**
 * Writes a secret, and undoes the write if the caller no longer waits for the answer.
 *
 * The undo of a replacement restores the previous secret. Between the two writes the previous secret is refused; a
 * client of a private connection that polls in that time stops until it is restarted. Without the undo, all clients
 * would stop until a person creates a new token and configures it in each of them.
 *
 * @throws ProcedoError `overloaded` when the caller no longer waits; nothing was written, or the write was undone. The
 *   error of a failed undo: the key, token or webhook remains, is listed and audited as created, and can be removed
 */
export async function writeShownOnce<T>(
  { isAwaited = () => true }: ShownOnce,
  work: { write(): Promise<T>; undo(written: T): Promise<unknown> },
): Promise<T> {
  if (!isAwaited()) throw notAwaited();
  const written = await work.write();
  if (isAwaited()) return written;
  await work.undo(written);
  throw notAwaited();
}

/** The audit fact of an undo. It is written even if the actor's key was deleted meanwhile. */
export function undone({ isRevoked: _, ...fact }: AuditFact, action: string): AuditFact {
  return { ...fact, action, details: { because: "The caller no longer waited for the answer with the secret." } };
}

/** The error when nothing was written. */
export function notAwaited(): ProcedoError {
  const message =
    "The caller no longer waits for the answer with the secret, so nothing was changed. Send the request again.";
  return new ProcedoError("overloaded", message);
}
