import { useMemo, type ReactElement, type ReactNode } from "react";
import { Cell, HeadCell, Row, Table, type Column } from "../ui/table.tsx";
import { schemaRows } from "./schema-rows.ts";

const columns: readonly Column[] = [
  { name: "Field" },
  { name: "Needed" },
  { name: "Value" },
  { name: "Meaning", isSecondary: true },
];

/** The fields of a JSON Schema. */
export function SchemaTable({
  caption,
  schema,
  children,
}: {
  readonly caption: string;
  readonly schema: unknown;
  /** Shown instead of the table for a schema without fields. */
  readonly children: ReactNode;
}): ReactElement {
  const fields = useMemo(() => schemaRows(schema), [schema]);
  if (fields.length === 0) return <p className="text-text-2">{children}</p>;
  return (
    <Table caption={caption} columns={columns}>
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
  );
}
