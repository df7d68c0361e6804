import type { JsonValue } from "@procedo/contract";
import { useTypedText, type FieldTyping, type ReadText } from "../typing/use-typed-text.ts";
import { readTypedJson, readTypedObject } from "./json-text.ts";

export interface JsonTyping {
  /** The place of the field, under which its text is kept. */
  readonly place: string;
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

/** A value as JSON that is being typed. A text that is no JSON stays, and changes nothing until it is. */
export function useTypedJson(field: JsonTyping): FieldTyping {
  const { place, value, isObject = false, onChange, isOptional = false, whyNot } = field;
  const read = (text: string): ReadText => {
    if (isOptional && text.trim() === "") return { value: undefined };
    const result = isObject ? readTypedObject(text) : readTypedJson(text);
    const reason = "value" in result ? whyNot?.(result.value) : undefined;
    return reason === undefined ? result : { problem: reason };
  };
  const shown = value === undefined ? "" : JSON.stringify(value, undefined, 2);
  return useTypedText({ place, value, shown, read, onChange, outlivesChange: true });
}
