import type { AuditEntry, AuditStore } from "@procedo/storage";
import { searchAudit } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { prepare } from "./statement.ts";

export function sqliteAudit({ db, reader }: SqliteContext): AuditStore {
  const selectHead = prepare<AuditEntry>(
    db,
    "SELECT seq, hash, body FROM audit WHERE workspace = ? ORDER BY seq DESC LIMIT 1",
  );
  const selectPage = prepare<AuditEntry>(
    db,
    "SELECT seq, hash, body FROM audit WHERE workspace = ? AND seq > ? ORDER BY seq LIMIT +?",
  );
  const selectBefore = prepare<AuditEntry>(
    db,
    "SELECT seq, hash, body FROM audit WHERE workspace = ? AND seq < ? ORDER BY seq DESC LIMIT +?",
  );

  return {
    head: ({ workspace }) =>
      reader.read(() => {
        const head = selectHead.get(workspace);
        return head === undefined ? undefined : { ...head };
      }),

    list: ({ workspace, afterSeq, limit }) =>
      reader.read(() => selectPage.all(workspace, afterSeq, limit).map((entry) => ({ ...entry }))),

    listNewest: (search) =>
      searchAudit(search, (beforeSeq, limit) =>
        reader.read(() => selectBefore.all(search.workspace, beforeSeq, limit).map((entry) => ({ ...entry }))),
      ),
  };
}

/** The workspace's audit chain, for other writes that append to it. */
export interface AuditChain {
  /** Whether the entry follows the head of the chain. True without an entry. */
  follows(workspace: string, entry: AuditEntry | undefined): boolean;

  append(workspace: string, entry: AuditEntry | undefined): void;
}

export function auditChain({ db }: SqliteContext): AuditChain {
  const selectHead = prepare<{ seq: number | null }>(db, "SELECT max(seq) AS seq FROM audit WHERE workspace = ?");
  const insert = prepare(db, "INSERT INTO audit (workspace, seq, hash, body) VALUES (?, ?, ?, ?)");

  return {
    follows: (workspace, entry) => entry === undefined || entry.seq === (selectHead.get(workspace)?.seq ?? 0) + 1,

    append(workspace, entry) {
      if (entry !== undefined) insert.run(workspace, entry.seq, entry.hash, entry.body);
    },
  };
}
