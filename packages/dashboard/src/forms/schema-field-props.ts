import type { FormEntry } from "./form-entry.ts";
import type { FormField } from "./form-field.ts";

export interface SchemaFieldProps {
  readonly field: FormField;
  readonly entry: FormEntry;
  readonly onChange: (entry: FormEntry) => void;
  /** Messages by JSON pointer. Each continues a sentence that begins with the field's label. */
  readonly problems: ReadonlyMap<string, string>;
  readonly path?: string;
}
