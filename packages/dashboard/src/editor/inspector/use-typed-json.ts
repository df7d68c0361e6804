import type { JsonValue } from "@procedo/contract";
import { useState } from "react";
import { sameJson } from "../draft/same-json.ts";
import { readTypedJson, readTypedObject, type TypedJson } from "./json-text.ts";

export interface JsonTyping {
  readonly value: JsonValue | undefined;
  /** Whether only an object counts. */
  readonly isObject?: boolean;
  /** `undefined`: the field was emptied. */
  readonly onChange: (value: JsonValue | undefined) => void;
  /** Whether the field may be empty. */
  readonly isOptional?: boolean;
  /** Why a value that is JSON does not count. */
  readonly whyNot?: ((value: JsonValue) => string | undefined) | undefined;
}

/** A value as a text that is being typed. A text that is no JSON stays, and changes nothing until it is. */
export function useTypedJson({ value, isObject = false, onChange, isOptional = false, whyNot }: JsonTyping): {
  readonly text: string;
  readonly change: (text: string) => void;
  /** Why the text does not count. */
  readonly fault: string | undefined;
} {
  const shown = value === undefined ? "" : JSON.stringify(value, undefined, 2);
  const [typed, setTyped] = useState<{ readonly text: string; readonly made: JsonValue | undefined }>();
  // An undo, or a change at another place, takes the place of the text from which the value was made.
  const isOwn = typed !== undefined && sameJson(typed.made, value);
  const text = isOwn ? typed.text : shown;
  const readText = (given: string): TypedJson => {
    const read = isObject ? readTypedObject(given) : readTypedJson(given);
    const reason = "value" in read ? whyNot?.(read.value) : undefined;
    return reason === undefined ? read : { problem: reason };
  };
  const read = readText(text);
  const isEmpty = text.trim() === "";
  const fault = "problem" in read && !(isEmpty && isOptional) ? read.problem : undefined;
  const change = (next: string): void => {
    const made = readText(next);
    if ("value" in made) {
      setTyped({ text: next, made: made.value });
      onChange(made.value);
    } else if (next.trim() === "" && isOptional) {
      setTyped({ text: next, made: undefined });
      onChange(undefined);
    } else setTyped({ text: next, made: value });
  };
  return { text, change, fault };
}
