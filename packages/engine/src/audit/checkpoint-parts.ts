import { environments, type Environment } from "@procedo/contract";
import type { Page, RunHead, RunStore } from "@procedo/storage";
import type { CheckpointPart } from "./checkpoint.ts";

/** Runs per entry of the chain: about 150 KB of text. */
export const runsInPart = 2_000;

/** Heads per read. On SQLite a read blocks the process for half a millisecond. */
const pageSize = 100;

/** How a list yields to the other work of its process. */
export interface Pace {
  /** Called between two pages, when no read is under way. */
  readonly pause: () => Promise<void>;
  /** Ends the list after the page that is being read. The last part is then not yielded. */
  readonly signal: AbortSignal;
}

/**
 * Lists the runs of a workspace that ended within a period, in as few entries as possible: at least one, unless the
 * signal ends the list. At most one part and one page are in memory at a time.
 */
export async function* partsOf(
  runs: Pick<RunStore, "heads">,
  workspace: string,
  window: { readonly fromMs: number; readonly toMs: number },
  pace: Pace,
): AsyncGenerator<CheckpointPart> {
  let part = 1;
  let gathered = nothing();
  let size = 0;
  for await (const { environment, heads } of pagesWithin(runs, workspace, window, pace)) {
    for (const head of heads) {
      if (size === runsInPart) {
        yield { ...window, part, last: false, heads: gathered };
        part += 1;
        gathered = nothing();
        size = 0;
      }
      gathered[environment].push(head);
      size += 1;
    }
  }
  if (!pace.signal.aborted) yield { ...window, part, last: true, heads: gathered };
}

async function* pagesWithin(
  runs: Pick<RunStore, "heads">,
  workspace: string,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  { pause, signal }: Pace,
): AsyncGenerator<{ readonly environment: Environment; readonly heads: readonly RunHead[] }> {
  for (const environment of environments) {
    const query = { scope: { workspace, environment }, endedFromMs: fromMs, endedToMs: toMs, limit: pageSize };
    let cursor: string | undefined;
    do {
      if (cursor !== undefined) await pause();
      if (signal.aborted) return;
      const page: Page<RunHead> = await runs.heads(cursor === undefined ? query : { ...query, cursor });
      yield { environment, heads: page.items };
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }
}

function nothing(): { readonly [environment in Environment]: RunHead[] } {
  return { sandbox: [], live: [] };
}
