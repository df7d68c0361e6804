import { ProcedoError } from "@procedo/contract";

/** Asks one connection which server process it talks to. */
export type AskProcess = () => Promise<number>;

/** SQL that answers with the server process of the connection, and leaves nothing in it. */
export const processSql = "SELECT pg_backend_pid() AS pid";

/**
 * Refuses connections that are no sessions of their own. A pooler in transaction mode gives two of them the same server
 * process, one after the other, or one of them another process each time. The order is such that a pooler that hands its
 * processes out in turn shows it, too, however many it has.
 *
 * Both connections stay open meanwhile, and nothing is set on them: settings would stay in the pooler's server
 * connections, for its other clients.
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
  "The database's address leads to a pooler that hands connections out by transaction (PgBouncer: pool_mode = transaction).";

export const withoutSessions =
  "Use the database's own address or a pool in session mode, or have Procedo do without sessions: " +
  "PROCEDO_DATABASE_NOTIFY=off (in code: notify: false).";
