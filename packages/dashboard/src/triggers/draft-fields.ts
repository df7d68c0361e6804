import type { TriggerDraft } from "./trigger-draft.ts";

/** The problem of a field by its pointer into the request, as a sentence. */
export type ProblemOf = (path: string) => string | undefined;

/** Fields of the form that show and change a part of the draft. */
export interface DraftFieldsProps {
  readonly draft: TriggerDraft;
  readonly onChange: (changes: Partial<TriggerDraft>) => void;
  readonly problemOf: ProblemOf;
}
