/** A bug that is put into the product on purpose and that a proof has to find. */
export interface Mutation {
  /** The bug, in a few words. */
  readonly name: string;
  readonly edits: readonly Edit[];
}

/** A change of one source file as it is loaded. */
export interface Edit {
  /** Path below `packages/`. */
  readonly file: string;
  /** The text to replace; it occurs exactly once. */
  readonly search: string;
  readonly replace: string;
}

/** @throws Error if the text does not occur exactly once: the product has changed, and the mutation must follow */
export function applyEdit(source: string, { file, search, replace }: Edit): string {
  const parts = source.split(search);
  if (parts.length !== 2) throw new Error(`"${search}" occurs ${parts.length - 1} times in packages/${file}.`);
  return parts.join(replace);
}
