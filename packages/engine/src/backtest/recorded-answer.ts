/** The record's answer to a request of another version to the outside. */
export type RecordedAnswer<T> =
  | {
      readonly status: "recorded";
      readonly answer: T;
      /** Whether the answer belongs to another request in the record, or to none. */
      readonly isReused: boolean;
    }
  /** The record ends before the answer. */
  | { readonly status: "open" }
  /** The version makes a request that the record has no answer to. */
  | { readonly status: "diverged"; readonly why: string };

export function fromRecord<T>(answer: T, isReused = false): RecordedAnswer<T> {
  return { status: "recorded", answer, isReused };
}

export function diverged(why: string): Extract<RecordedAnswer<never>, { status: "diverged" }> {
  return { status: "diverged", why };
}
