import type { JsonValue } from "@procedo/contract";
import { useContext, useEffect } from "react";
import { sameJson } from "../draft/same-json.ts";
import { TypingContext, type Typing } from "./typing-context.ts";

/** The value of a text, or why it has none. */
export type ReadText = { readonly value: JsonValue | undefined } | { readonly problem: string };

interface TypedField {
  readonly place: string;
  readonly value: JsonValue | undefined;
  /** The value as a text. */
  readonly shown: string;
  readonly read: (text: string) => ReadText;
  readonly onChange: (value: JsonValue | undefined) => void;
  /** Whether the value changes when the person leaves the field. @defaultValue at each key */
  readonly isLate?: boolean;
  /** Whether an unfinished text stays where its value was changed elsewhere. @defaultValue the new value is shown */
  readonly outlivesChange?: boolean;
}

export interface FieldTyping {
  readonly text: string;
  /** Why the text is not the value. */
  readonly fault: string | undefined;
  readonly change: (text: string) => void;
  /** The person leaves the field. An unfinished text stays. */
  readonly finish: () => void;
  readonly discard: () => void;
  /** Takes the text for the value that was changed elsewhere; `undefined` where none was. */
  readonly takeOver: (() => void) | undefined;
}

/** A field whose text may be no possible value yet. Until it is one, it changes nothing, and is kept. */
export function useTypedText(field: TypedField): FieldTyping {
  const { place, value, shown, read, onChange, isLate = false, outlivesChange = false } = field;
  const { texts, set } = useTyping();
  const typed = texts[place];
  // An undo, or a change at another place, takes the place of the text of a former value.
  const isOver = typed !== undefined && !sameJson(typed.over, value);
  const isStale = isOver && typed.isUnfinished && outlivesChange;
  const isDropped = isOver && !isStale;
  useEffect(() => {
    if (isDropped) set(place, undefined);
  }, [isDropped, place, set]);
  const text = typed === undefined || isDropped ? shown : typed.text;
  const made = read(text);
  const fault = typed !== undefined && !isDropped && "problem" in made ? made.problem : undefined;
  const take = (next: string): void => {
    const result = read(next);
    if ("problem" in result) set(place, { text: next, over: value, isUnfinished: true });
    else if (isLate) set(place, { text: next, over: value, isUnfinished: false });
    else {
      set(place, { text: next, over: result.value, isUnfinished: false });
      onChange(result.value);
    }
  };
  return {
    text,
    fault: isStale ? "This text is not in the draft." : fault,
    change: (next) => {
      if (isStale) set(place, { ...typed, text: next });
      else take(next);
    },
    finish: () => {
      if (typed === undefined || fault !== undefined || isStale) return;
      set(place, undefined);
      if (isLate && "value" in made && !sameJson(made.value, value)) onChange(made.value);
    },
    discard: () => set(place, undefined),
    takeOver: isStale ? () => take(text) : undefined,
  };
}

export function useTyping(): Typing {
  const typing = useContext(TypingContext);
  if (typing === undefined) throw new Error("A typed field needs an editor around it.");
  return typing;
}
