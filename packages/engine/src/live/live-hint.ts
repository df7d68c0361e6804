import type { ChangeKind } from "@procedo/contract";

/** The kinds of things that a hint may name. */
export type LiveKind = Exclude<ChangeKind, "resync">;

/** Something that changed and is to be read again. */
export interface LiveHint {
  /** The kind of the thing. */
  readonly kind: LiveKind;
  /** The run, review or delivery that changed. `undefined`: any of this kind. */
  readonly id?: string;
}
