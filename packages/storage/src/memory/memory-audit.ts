import { searchAudit } from "../audit-search.ts";
import type { AuditEntry, AuditStore } from "../audit.ts";
import type { MemoryState } from "./state.ts";

export function memoryAudit(state: MemoryState): AuditStore {
  return {
    async head({ workspace }) {
      return state.audit.get(workspace)?.at(-1);
    },

    async list({ workspace, afterSeq, limit }) {
      return (state.audit.get(workspace) ?? []).slice(afterSeq, afterSeq + limit);
    },

    listNewest: (search) =>
      searchAudit(search, async (beforeSeq, limit) => {
        const chain = state.audit.get(search.workspace) ?? [];
        const before = chain.slice(0, Math.max(0, beforeSeq - 1));
        return before.slice(-limit).reverse();
      }),
  };
}

/** Whether the entry follows the head; `true` without an entry. */
export function follows(state: MemoryState, workspace: string, entry: AuditEntry | undefined): boolean {
  return entry === undefined || entry.seq === (state.audit.get(workspace)?.length ?? 0) + 1;
}

export function append(state: MemoryState, workspace: string, entry: AuditEntry | undefined): void {
  if (entry === undefined) return;
  const chain = state.audit.get(workspace);
  if (chain === undefined) state.audit.set(workspace, [entry]);
  else chain.push(entry);
}
