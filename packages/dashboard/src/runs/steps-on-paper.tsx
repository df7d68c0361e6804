import type { ReactElement } from "react";
import { Cell, HeadCell, Row, Table } from "../ui/table.tsx";
import { statusWord } from "../ui/status-word.ts";
import { Moment } from "../values/moment.tsx";
import { formatDuration } from "../values/time.ts";
import type { TimelineRow } from "./timeline.ts";

/** All steps as a table, for paper, on which nothing can be scrolled. */
export function StepsOnPaper({ rows }: { readonly rows: readonly TimelineRow[] }): ReactElement {
  return (
    <Table
      caption="Steps"
      columns={[{ name: "Step" }, { name: "Status" }, { name: "Began" }, { name: "Took", isNumeric: true }]}
    >
      {rows.map(({ key, title, status, step, startMs, endMs }) => (
        <Row key={key}>
          <HeadCell>{title}</HeadCell>
          <Cell>{statusWord(status)}</Cell>
          <Cell>
            <Moment at={step.startedAt} />
          </Cell>
          <Cell isNumeric>{formatDuration(endMs - startMs)}</Cell>
        </Row>
      ))}
    </Table>
  );
}
