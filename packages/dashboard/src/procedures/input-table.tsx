import type { ReactElement } from "react";
import { useMemo } from "react";
import { Cell, HeadCell, Row, Table, type Column } from "../ui/table.tsx";
import { inputFields } from "./input-fields.ts";

const columns: readonly Column[] = [
  { name: "Field" },
  { name: "Needed" },
  { name: "Value" },
  { name: "Meaning", isSecondary: true },
];

/** The fields that the form of a run asks for. */
export function InputTable({ schema, version }: { readonly schema: unknown; readonly version: string }): ReactElement {
  const fields = useMemo(() => inputFields(schema), [schema]);
  return (
    <section aria-label="Input" className="flex flex-col gap-2">
      <h2 className="text-section font-semibold">
        Input <span className="text-body font-normal text-text-3">of version {version}</span>
      </h2>
      {fields.length === 0 ? (
        <p className="text-text-2">This version names no fields. A run takes any JSON object that its schema allows.</p>
      ) : (
        <Table caption="Input" columns={columns}>
          {fields.map(({ path, label, type, isRequired, description }) => (
            <Row key={path}>
              <HeadCell>
                <span className="wrap-anywhere">{label}</span>{" "}
                {path !== label && (
                  <code className="font-mono text-small font-normal wrap-anywhere text-text-3">{path}</code>
                )}
              </HeadCell>
              <Cell>{isRequired ? "Yes" : <span className="text-text-3">No</span>}</Cell>
              <Cell>
                <span className="wrap-anywhere">{type}</span>
              </Cell>
              <Cell isSecondary>
                <span className="wrap-anywhere">{description}</span>
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </section>
  );
}
