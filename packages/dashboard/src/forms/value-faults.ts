/* Faults that a form reports before it is sent. The service checks everything again, and patterns only there. */
import { ExactNumber } from "@procedo/procedure";
import type { FormField, NumberBounds } from "./form-field.ts";

type NumberField = Extract<FormField, { readonly kind: "number" }>;
type TextField = Extract<FormField, { readonly kind: "text" }>;

/** Why a text is not a number for the field, continuing a sentence that begins with the field's label. */
export function numberFault({ isInteger, bounds }: NumberField, text: string): string | undefined {
  if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d{1,9})?$/.test(text)) {
    return isInteger
      ? "is not a whole number. Write only digits, such as 4500000."
      : "is not a number. Write it like 1234.5, without separators or units.";
  }
  if (isInteger && !new ExactNumber(text).isWhole) return "is not a whole number. It has decimals.";
  return boundFault(bounds, Number(text));
}

/** A bound is a double, so that comparing with the nearest double never refuses a number that is within it. */
function boundFault(bounds: NumberBounds, value: number): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = bounds;
  if (minimum !== undefined && value < minimum) return `must be at least ${minimum}.`;
  if (maximum !== undefined && value > maximum) return `must be at most ${maximum}.`;
  if (exclusiveMinimum !== undefined && value < exclusiveMinimum) return `must be more than ${exclusiveMinimum}.`;
  if (exclusiveMaximum !== undefined && value > exclusiveMaximum) return `must be less than ${exclusiveMaximum}.`;
  return undefined;
}

const dateTime = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

/** Why a text does not fit the field, continuing a sentence that begins with the field's label. */
export function textFault({ format, minLength, maxLength }: TextField, text: string): string | undefined {
  const { length } = [...text];
  if (minLength !== undefined && length < minLength) return `must have at least ${minLength} characters.`;
  if (maxLength !== undefined && length > maxLength)
    return `has ${length} characters; at most ${maxLength} are allowed.`;
  if (format === "date" && !isDate(text)) return "is not a date. Write it like 2026-11-20.";
  if (format === "date-time" && !dateTime.test(text)) {
    return "is not a time with its zone. Write it like 2026-11-20T14:30:00Z or 2026-11-20T14:30:00+01:00.";
  }
  return undefined;
}

/** Whether a text is a day of the calendar: `2026-11-20`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}
