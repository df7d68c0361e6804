import {
  createTriggerRequestSchema,
  requestProblems,
  updateTriggerRequestSchema,
  type JsonObject,
  type TriggerSource,
} from "@procedo/contract";
import type { Overlap } from "@procedo/storage";
import { invalidTrigger } from "./trigger-errors.ts";
import type { TriggerFields } from "./triggers.ts";

/** The fields of a trigger, complete and of the right form. */
export interface ReadTrigger {
  readonly name: string;
  readonly procedureId: string;
  readonly version: string | null;
  readonly source: TriggerSource;
  readonly when: string | null;
  readonly input: JsonObject;
  readonly overlap: Overlap;
  readonly maxOpenRuns: number | null;
  readonly pauseAfterFailures: number | null;
}

const fieldNames = [
  "name",
  "procedureId",
  "version",
  "source",
  "when",
  "input",
  "overlap",
  "maxOpenRuns",
  "pauseAfterFailures",
] as const satisfies readonly (keyof ReadTrigger)[];

/** Reads the fields of a new trigger, with their defaults. @throws ProcedoError `invalid_input` */
export function readNewTrigger(given: TriggerFields): ReadTrigger {
  const parsed = createTriggerRequestSchema.safeParse(fieldsOf(given));
  if (!parsed.success) throw invalidTrigger(requestProblems(parsed.error));
  const { overlap, ...fields } = parsed.data;
  return { ...fields, overlap: overlap ?? defaultOverlap(fields.source) };
}

/**
 * The fields of a trigger after a change, and the names of those that differ.
 *
 * @throws ProcedoError `invalid_input`
 */
export function readChanges(
  before: ReadTrigger,
  given: Partial<TriggerFields>,
): { readonly fields: ReadTrigger; readonly changed: readonly string[] } {
  const parsed = updateTriggerRequestSchema.safeParse(fieldsOf(given));
  if (!parsed.success) throw invalidTrigger(requestProblems(parsed.error));
  const { revision: _, ...changes } = withoutUndefined(parsed.data);
  const fields: ReadTrigger = { ...before, ...changes };
  const isOther = (name: keyof ReadTrigger) => JSON.stringify(fields[name]) !== JSON.stringify(before[name]);
  return { fields, changed: fieldNames.filter(isOther) };
}

/** Its fields alone: a caller may have spread a whole trigger into its changes. */
function fieldsOf(given: Partial<TriggerFields>): object {
  return Object.fromEntries(fieldNames.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])));
}

function withoutUndefined<T extends object>(object: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

/** Times of a schedule that meet an open run are usually better left out; events are not. */
function defaultOverlap({ kind }: TriggerSource): Overlap {
  return kind === "schedule" ? "skip" : "allow";
}
