import { ProcedoError } from "@procedo/contract";

/** Returns the server process of one connection. */
export type AskProcess = () => Promise<number>;

/** SQL that returns the server process of the connection and leaves the session unchanged. */
export const processSql = "SELECT pg_backend_pid() AS pid";

/**
 * Rejects connections that are not sessions. Behind a pooler in transaction mode, two connections can have the same
 * server process, or one connection can change its process. The order of the checks also detects a pooler that assigns
 * its processes in turn, for any number of processes.
 *
 * Both connections stay open during the checks, and no setting is changed on them: settings would stay in the pooler's
 * server connections and affect its other clients.
 *
 * @throws ProcedoError `invalid_configuration`
 */
export async function checkSessions(askFirst: AskProcess, askSecond: AskProcess): Promise<void> {
  const first = await askFirst();
  const second = [await askSecond(), await askSecond()] as const;
  const firstAgain = await askFirst();
  if (first === firstAgain && second[0] === second[1] && first !== second[0]) return;
  throw new ProcedoError("invalid_configuration", `${transactionPooler} ${withoutSessions}`);
}

export const transactionPooler =
  "The database's address leads to a pooler that assigns connections per transaction (PgBouncer: pool_mode = transaction).";

export const withoutSessions =
  "Use the database's own address or a pool in session mode, or run Procedo without sessions: " +
  "PROCEDO_DATABASE_NOTIFY=off (in code: notify: false).";
