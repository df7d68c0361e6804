import { environments, type Environment } from "@procedo/contract";
import type { Page, RunHead, RunStore } from "@procedo/storage";
import type { CheckpointPart } from "./checkpoint.ts";

/** Runs that one entry of the chain lists: some 150 KB of text. */
export const runsInPart = 2_000;

const pageSize = 1_000;

/** The runs of a workspace that ended within a time, divided among as few entries as hold them. At least one. */
export async function* partsOf(
  runs: Pick<RunStore, "heads">,
  workspace: string,
  window: { readonly fromMs: number; readonly toMs: number },
): AsyncGenerator<CheckpointPart> {
  let part = 1;
  let gathered = nothing();
  let size = 0;
  for await (const { environment, head } of headsWithin(runs, workspace, window)) {
    if (size === runsInPart) {
      yield { ...window, part, last: false, heads: gathered };
      part += 1;
      gathered = nothing();
      size = 0;
    }
    gathered[environment].push(head);
    size += 1;
  }
  yield { ...window, part, last: true, heads: gathered };
}

async function* headsWithin(
  runs: Pick<RunStore, "heads">,
  workspace: string,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): AsyncGenerator<{ readonly environment: Environment; readonly head: RunHead }> {
  for (const environment of environments) {
    const query = { scope: { workspace, environment }, endedFromMs: fromMs, endedToMs: toMs, limit: pageSize };
    let cursor: string | undefined;
    do {
      const page: Page<RunHead> = await runs.heads(cursor === undefined ? query : { ...query, cursor });
      for (const head of page.items) yield { environment, head };
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }
}

function nothing(): { readonly [environment in Environment]: RunHead[] } {
  return { sandbox: [], live: [] };
}
