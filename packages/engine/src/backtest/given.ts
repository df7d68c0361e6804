/** What the record answers to something that another version asks of the outside. */
export type Given<T> =
  | {
      readonly status: "given";
      readonly answer: T;
      /** It was given to another question, or to none at all. */
      readonly isReused: boolean;
    }
  /** The record ends before there was an answer. */
  | { readonly status: "open" }
  /** The record does not tell. */
  | { readonly status: "left"; readonly why: string };

export function given<T>(answer: T, isReused = false): Given<T> {
  return { status: "given", answer, isReused };
}

export function left(why: string): Extract<Given<never>, { status: "left" }> {
  return { status: "left", why };
}
