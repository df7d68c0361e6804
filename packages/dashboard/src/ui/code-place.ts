import type { Ref } from "react";

export interface CodePlace {
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

export interface CodeAreaHandle {
  /** Moves the focus and the cursor to a place, and the text into view. */
  readonly goTo: (place: CodePlace) => void;
}

/** A fault at a place of the text. */
export interface CodeProblem extends CodePlace {
  readonly severity: "error" | "warning";
  readonly message: string;
}

export interface CodeEditorProps {
  readonly id: string;
  readonly label: string;
  /** Told to a screen reader together with the label. */
  readonly description: string;
  readonly isInvalid: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onBlur: (() => void) | undefined;
  readonly rows: number;
  readonly problems: readonly CodeProblem[];
  readonly markedLines: readonly number[];
  /** A place to go to, each time that it is another object. */
  readonly shown: CodePlace | undefined;
  readonly ref: Ref<CodeAreaHandle> | undefined;
}
