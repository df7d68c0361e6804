import type { InterruptibleStorage } from "@procedo-testing/faults";
import type { AuditEntry, JournalRow, Page } from "@procedo/storage";

/** Changes by an attacker with access to the database, as an engine sees them from then on. */
export interface Damage {
  /** All data of these runs are removed. */
  readonly deletedRuns?: readonly string[];
  /** The rows of a run are replaced by these. */
  readonly journals?: Readonly<Record<string, (rows: readonly JournalRow[]) => readonly JournalRow[]>>;
  /** These runs appear as if they had not ended. */
  readonly reopenedRuns?: readonly string[];
  /** The workspace's chain is replaced by this one. */
  readonly chain?: (entries: readonly AuditEntry[]) => readonly AuditEntry[];
}

interface Named {
  readonly runId: string;
}

export function damage(way: InterruptibleStorage, whole: readonly AuditEntry[], done: Damage): void {
  const { deletedRuns = [], reopenedRuns = [], journals = {}, chain } = done;
  const rowsOf = async (work: () => Promise<unknown>, runId: string): Promise<readonly JournalRow[]> => {
    if (deletedRuns.includes(runId)) return [];
    const rows = (await work()) as readonly JournalRow[];
    return journals[runId]?.(rows) ?? rows;
  };
  const without = async <T extends Named>(work: () => Promise<unknown>, gone: readonly string[]): Promise<Page<T>> => {
    const page = (await work()) as Page<T>;
    return { ...page, items: page.items.filter(({ runId }) => !gone.includes(runId)) };
  };

  way.on("runs.journal", (work, request) => rowsOf(work, (request as Named).runId));
  way.on("runs.list", async (work) => {
    const page = await without<Named & { readonly endedAtMs: number | undefined }>(work, deletedRuns);
    const items = page.items.map((row) => (reopenedRuns.includes(row.runId) ? { ...row, endedAtMs: undefined } : row));
    return { ...page, items };
  });
  way.on("runs.heads", async (work, request) => {
    const page = await without<Named>(work, [...deletedRuns, ...reopenedRuns]);
    const { scope } = request as { readonly scope: unknown };
    const items = page.items.map(async (head) => {
      if (journals[head.runId] === undefined) return head;
      const last = (await way.storage.runs.journal({ scope, runId: head.runId } as never)).at(-1);
      return { ...head, seq: last?.seq ?? 0, hash: last?.hash ?? "" };
    });
    return { ...page, items: await Promise.all(items) };
  });
  if (chain === undefined) return;
  way.on("audit.list", async (_work, request) => {
    const { afterSeq, limit } = request as { readonly afterSeq: number; readonly limit: number };
    return chain(whole)
      .filter(({ seq }) => seq > afterSeq)
      .slice(0, limit);
  });
}
