import { registerHooks } from "node:module";
import { applyEdit, type Edit, type Mutation } from "./mutation.ts";

/**
 * Applies the bug to all modules that are loaded from now on.
 *
 * @returns whether all edits of the bug have been applied
 */
export function loadMutated({ edits }: Mutation): () => boolean {
  const applied = new Set<Edit>();
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context);
      const here = edits.filter(({ file }) => url.endsWith(`/packages/${file}`));
      if (here.length === 0 || loaded.source === undefined || loaded.source === null) return loaded;
      const text = typeof loaded.source === "string" ? loaded.source : new TextDecoder().decode(loaded.source);
      for (const edit of here) applied.add(edit);
      return { ...loaded, source: here.reduce(applyEdit, text) };
    },
  });
  return () => applied.size === edits.length;
}
