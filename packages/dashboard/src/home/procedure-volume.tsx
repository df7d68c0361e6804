import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { useEnvironment } from "../shell/environment.ts";
import { Cell, HeadCell, Row, Table, type Column } from "../ui/table.tsx";
import { successShare } from "./success-share.ts";
import type { Summary } from "./use-home.ts";

const columns: readonly Column[] = [
  { name: "Procedure" },
  { name: "Runs", isNumeric: true },
  { name: "Success", isNumeric: true },
  { name: "Open reviews", isNumeric: true },
];

/** The busiest procedures of the week, with the share of their runs that completed. */
export function ProcedureVolume({ procedures }: { readonly procedures: Summary["procedures"] }): ReactElement {
  const environment = useEnvironment();
  if (procedures.length === 0) {
    return (
      <p className="rounded-panel border border-hairline bg-surface px-4 py-3 text-text-2">
        No procedure ran in these days.
      </p>
    );
  }
  return (
    <Table caption="Runs by procedure" columns={columns}>
      {procedures.map(({ procedureId, name, completed, failed, openReviews }) => (
        <Row key={procedureId}>
          <HeadCell>
            <Link
              to="/$environment/procedures/$procedureId"
              params={{ environment, procedureId }}
              className="wrap-anywhere"
            >
              {name}
            </Link>
          </HeadCell>
          <Cell isNumeric>{(completed + failed).toLocaleString("en")}</Cell>
          <Cell isNumeric>
            <span className="whitespace-nowrap">{successShare(completed, failed)}</span>
          </Cell>
          <Cell isNumeric>
            <span className={openReviews === 0 ? "text-text-3" : ""}>{openReviews.toLocaleString("en")}</span>
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
