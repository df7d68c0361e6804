import { useState, type ReactElement } from "react";
import type { JsonValue } from "./json-lines.ts";
import { visibleJson } from "./visible-text.ts";

/** Longer texts are shown up to here, until the reader asks for all of it. */
const longText = 20_000;

/** A text, number, boolean or null, with all its characters and digits. */
export function JsonScalar({ value }: { readonly value: JsonValue }): ReactElement {
  const [isWhole, setWhole] = useState(false);
  if (typeof value !== "string") return <span className="text-accent">{JSON.stringify(value)}</span>;
  if (value.length <= longText || isWhole) return <bdi className="text-completed">{visibleJson(value)}</bdi>;
  return (
    <>
      <bdi className="text-completed">{visibleJson(value.slice(0, longText)).slice(0, -1)}</bdi>…{" "}
      <button
        type="button"
        onClick={() => setWhole(true)}
        className="font-sans text-accent underline-offset-2 hover:underline"
      >
        Show all {value.length.toLocaleString("en-GB")} characters
      </button>
    </>
  );
}
