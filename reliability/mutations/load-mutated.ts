import { registerHooks } from "node:module";
import { applyEdit, type Edit, type Mutation } from "./mutation.ts";

/**
 * Has everything that is loaded from now on come with the bug in it.
 *
 * @returns whether all of it has been loaded
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
