import { useMemo, useState } from "react";
import { ApiError } from "../api/api-error.ts";
import type { Review } from "../api/models.ts";
import { formField, type FormField } from "../forms/form-field.ts";
import { emptyEntry, textOf, type FormEntry } from "../forms/form-value.ts";

export interface OutputsForm {
  readonly field: FormField;
  readonly entry: FormEntry;
  readonly setEntry: (entry: FormEntry) => void;
  /** Messages by JSON pointer. */
  readonly problems: ReadonlyMap<string, string>;
  /** The JSON text of what was entered, `undefined` when nothing was; else the problems are shown. */
  readonly read: () => { readonly isValid: boolean; readonly text?: string };
}

/** The form of the outputs that an approval carries; `undefined` when it carries none. */
export function useOutputs(review: Review, error: unknown): OutputsForm | undefined {
  const field = useMemo(() => outputsField(review), [review]);
  const [entry, setEntry] = useState<FormEntry | undefined>(() => field && emptyEntry(field));
  const [found, setFound] = useState<ReadonlyMap<string, string>>(new Map());
  if (field === undefined || entry === undefined) return undefined;
  const read: OutputsForm["read"] = () => {
    const result = textOf(field, entry);
    const problems = result.isValid ? objectProblems(result.text) : result.problems;
    setFound(new Map(problems.map(({ path, message }) => [path, message])));
    if (!result.isValid || problems.length > 0) return { isValid: false };
    return { isValid: true, ...(result.text !== undefined && { text: result.text }) };
  };
  return { field, entry, setEntry, problems: new Map([...refusedFields(error), ...found]), read };
}

/** The outputs of a decision are an object, also where the schema says nothing. */
function objectProblems(text: string | undefined): readonly { readonly path: string; readonly message: string }[] {
  if (text === undefined || text.trimStart().startsWith("{")) return [];
  return [{ path: "", message: 'needs an object, such as {"id": "T-1"}' }];
}

/** The fields that the service refused. */
function refusedFields(error: unknown): readonly (readonly [path: string, message: string])[] {
  if (!(error instanceof ApiError)) return [];
  return error.details.flatMap(({ path, message }) => {
    const within = path.startsWith("/outputs") ? path.slice("/outputs".length) : undefined;
    return within === undefined ? [] : [[within, message] as const];
  });
}

function outputsField(review: Review): FormField | undefined {
  const { outputsSchema, kind, decisions } = review;
  if (outputsSchema === false) return undefined;
  if (kind === "outcome_unknown") {
    return formField(outputsSchema === true ? {} : outputsSchema, "Result of the call", true);
  }
  if (outputsSchema === true) return undefined;
  const required = outputsSchema["required"];
  // The first approval brings what the schema requires; a later one may leave it as it is.
  const isRequired =
    Array.isArray(required) && required.length > 0 && decisions.every(({ outputs }) => outputs === undefined);
  return formField(
    outputsSchema,
    kind === "question" ? "Another answer" : "Outputs",
    isRequired && kind !== "question",
  );
}
