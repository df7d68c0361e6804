import type { AuditEntry, AuditStore } from "@procedo/storage";
import { searchAudit } from "@procedo/storage";
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
  const selectBefore: Statement = {
    name: "audit-list-newest",
    text: `SELECT seq, hash, body FROM ${schema}.audit WHERE workspace = $1 AND seq < $2 ORDER BY seq DESC LIMIT $3`,
  };

  return {
    async head({ workspace }) {
      const [head] = await database.query<AuditEntry>(selectHead, [workspace]);
      return head;
    },

    list: ({ workspace, afterSeq, limit }) => database.query<AuditEntry>(selectPage, [workspace, afterSeq, limit]),

    listNewest: (search) =>
      searchAudit(search, (beforeSeq, limit) =>
        database.query<AuditEntry>(selectBefore, [search.workspace, beforeSeq, limit]),
      ),
  };
}

/** The workspace's audit chain, for other writes that append to it. */
export interface AuditChain {
  /**
   * Appends the entry if it follows the head. Returns `appended` without an entry. Call it when the transaction has
   * locked all rows that it checked, and before writes that `behind` would have to undo. A transaction that waits here
   * for another one's entry then holds no lock that the other one still needs.
   */
  append(tx: Transaction, workspace: string, entry: AuditEntry | undefined): Promise<"appended" | "behind">;
}

export function auditChain({ database }: PostgresContext): AuditChain {
  // Of two transactions that append the same seq, the later waits for the earlier, and then finds the seq in use.
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
