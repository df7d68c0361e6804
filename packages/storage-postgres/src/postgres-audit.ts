import type { AuditEntry, AuditStore } from "@procedo/storage";
import type { PostgresContext } from "./context.ts";
import type { Transaction } from "./database.ts";
import type { Statement } from "./statement.ts";

export function postgresAudit({ database }: PostgresContext): AuditStore {
  const { schema } = database;
  const selectHead: Statement = {
    name: "audit-head",
    text: `SELECT seq, hash, body FROM ${schema}.audit WHERE workspace = $1 ORDER BY seq DESC LIMIT 1`,
  };
  const selectPage: Statement = {
    name: "audit-list",
    text: `SELECT seq, hash, body FROM ${schema}.audit WHERE workspace = $1 AND seq > $2 ORDER BY seq LIMIT $3`,
  };

  return {
    async head({ workspace }) {
      const [head] = await database.query<AuditEntry>(selectHead, [workspace]);
      return head;
    },

    list: ({ workspace, afterSeq, limit }) => database.query<AuditEntry>(selectPage, [workspace, afterSeq, limit]),
  };
}

/** The workspace's chain as other writes append to it. */
export interface AuditChain {
  /**
   * Appends the entry when it follows the head; without an entry nothing is in the way. To be called when all that the
   * transaction has checked is locked, and before it writes what an answer of `behind` would have it undo. Who waits here
   * for another's entry holds nothing that the other still needs.
   */
  append(tx: Transaction, workspace: string, entry: AuditEntry | undefined): Promise<"appended" | "behind">;
}

export function auditChain({ database }: PostgresContext): AuditChain {
  // Of two that append the same seq, the later waits for the earlier to end and then finds its place taken.
  const insert: Statement = {
    name: "audit-append",
    text: `INSERT INTO ${database.schema}.audit (workspace, seq, hash, body)
             SELECT $1, $2, $3, $4
              WHERE $2 = (SELECT coalesce(max(seq), 0) + 1 FROM ${database.schema}.audit WHERE workspace = $1)
           ON CONFLICT DO NOTHING RETURNING seq`,
  };

  return {
    async append(tx, workspace, entry) {
      if (entry === undefined) return "appended";
      const rows = await tx.query(insert, [workspace, entry.seq, entry.hash, entry.body]);
      return rows.length === 1 ? "appended" : "behind";
    },
  };
}
