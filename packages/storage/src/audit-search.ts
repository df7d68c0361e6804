import type { AuditEntry, AuditPage, AuditSearch } from "./audit.ts";

/** Bounds of one page: entries of managed changes are short, those of checkpoints may be long. */
const maxEntries = 1_000;
const maxLength = 4 * 1024 * 1024;

/** Entries that are read at once. */
const portion = 20;

/** How far the clock of a writer may have been ahead of another's. */
const clockToleranceMs = 86_400_000;

/**
 * One page of `audit.listNewest`, for adapters.
 *
 * @param readBefore reads up to `limit` entries before a `seq`, newest first
 */
export async function searchAudit(
  search: AuditSearch,
  readBefore: (beforeSeq: number, limit: number) => Promise<readonly AuditEntry[]>,
): Promise<AuditPage> {
  const { limit, fromMs = -Infinity } = search;
  const entries: AuditEntry[] = [];
  let beforeSeq = search.beforeSeq ?? Number.MAX_SAFE_INTEGER;
  let examined = 0;
  let length = 0;
  while (examined < maxEntries && length < maxLength) {
    const found = await readBefore(beforeSeq, portion);
    for (const entry of found) {
      const facts = factsOf(entry);
      if (typeof facts.atMs === "number" && facts.atMs < fromMs - clockToleranceMs) return { entries };
      if (matches(search, facts)) entries.push(entry);
      beforeSeq = entry.seq;
      examined += 1;
      length += entry.body.length;
      if (entries.length === limit) return following(entries, beforeSeq);
    }
    if (found.length < portion) return { entries };
  }
  return following(entries, beforeSeq);
}

/** The chain begins with 1. */
function following(entries: readonly AuditEntry[], beforeSeq: number): AuditPage {
  return beforeSeq > 1 ? { entries, nextBeforeSeq: beforeSeq } : { entries };
}

type Facts = Readonly<Record<string, unknown>>;

function matches({ action, by, subject, fromMs, toMs }: AuditSearch, facts: Facts): boolean {
  const { atMs } = facts;
  return (
    (action === undefined || facts["action"] === action) &&
    (by === undefined || facts["by"] === by) &&
    (subject === undefined || facts["subject"] === subject) &&
    (fromMs === undefined || (typeof atMs === "number" && atMs >= fromMs)) &&
    (toMs === undefined || (typeof atMs === "number" && atMs < toMs))
  );
}

/** No facts for a body that is not a JSON object: only a changed entry has one. */
function factsOf({ body }: AuditEntry): Facts {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as Facts) : {};
  } catch {
    return {};
  }
}
