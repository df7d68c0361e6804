import { Eraser } from "lucide-react";
import type { ReactElement } from "react";
import { Button } from "../ui/button.tsx";
import { TextArea } from "../ui/field.tsx";
import { emptyEntry } from "./form-entry.ts";
import { fieldFacts } from "./scalar-field.tsx";
import type { SchemaFieldProps } from "./schema-field-props.ts";

/** A value that does not fit its field, such as null for a text. It is sent as it is until it is cleared. */
export function RawField({ field, entry, onChange, problems, path = "" }: SchemaFieldProps): ReactElement | null {
  if (entry.kind !== "raw") return null;
  return (
    <div className="flex flex-col items-start gap-1">
      <TextArea
        {...fieldFacts(field, problems.get(path))}
        hint="This value does not fit the field, so it is shown as JSON."
        className="w-full"
        isCode
        rows={2}
        value={entry.text}
        onChange={({ target }) => onChange({ kind: "raw", text: target.value })}
      />
      <Button variant="quiet" icon={Eraser} onClick={() => onChange(emptyEntry(field))}>
        Clear
      </Button>
    </div>
  );
}
