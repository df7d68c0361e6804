import { createContext } from "react";
import type { TypedText, TypedTexts } from "./typed-texts.ts";

/** The typed texts of the open editor. */
export interface Typing {
  readonly texts: TypedTexts;
  /** Keeps the text of a place; `undefined` drops it. */
  readonly set: (place: string, typed: TypedText | undefined) => void;
  /** Drops the texts at a place and below it, because its fields are gone. */
  readonly forget: (place: string) => void;
}

export const TypingContext = createContext<Typing | undefined>(undefined);
