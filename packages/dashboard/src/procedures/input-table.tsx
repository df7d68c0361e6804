import type { ReactElement } from "react";
import { SchemaTable } from "../forms/schema-table.tsx";

/** The fields that the form of a run asks for. */
export function InputTable({ schema, version }: { readonly schema: unknown; readonly version: string }): ReactElement {
  return (
    <section aria-label="Input" className="flex flex-col gap-2">
      <h2 className="text-section font-semibold">
        Input <span className="text-body font-normal text-text-3">of version {version}</span>
      </h2>
      <SchemaTable caption="Input" schema={schema}>
        This version names no fields. A run takes any JSON object that its schema allows.
      </SchemaTable>
    </section>
  );
}
