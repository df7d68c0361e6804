/** The record's answer to a question that another version asks of the outside. */
export type RecordedAnswer<T> =
  | {
      readonly status: "recorded";
      readonly answer: T;
      /** The record gave it to another question, or has no question for it. */
      readonly isReused: boolean;
    }
  /** The record ends before there was an answer. */
  | { readonly status: "open" }
  /** The version asks something that the record has no answer to. */
  | { readonly status: "diverged"; readonly why: string };

export function fromRecord<T>(answer: T, isReused = false): RecordedAnswer<T> {
  return { status: "recorded", answer, isReused };
}

export function diverged(why: string): Extract<RecordedAnswer<never>, { status: "diverged" }> {
  return { status: "diverged", why };
}
