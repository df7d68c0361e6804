import type { JsonValue } from "@procedo/contract";
import type { RunStore, Scope } from "@procedo/storage";
import { createRowReader } from "../journal/row-codec.ts";

/** The input of a run, from the first row of its journal; `undefined` once it is archived. */
export async function readInput(
  { storage }: { readonly storage: { readonly runs: Pick<RunStore, "journal"> } },
  run: { readonly scope: Scope; readonly runId: string },
): Promise<JsonValue | undefined> {
  // A page of one byte is the first row alone.
  const [row] = await storage.runs.journal({ ...run, maxBytes: 1 });
  if (row === undefined) return undefined;
  const [started] = createRowReader(run.runId).decode(row.seq, row.body);
  return started?.type === "started" ? started.input : undefined;
}
