import { CircleCheck, CircleX } from "lucide-react";
import type { ReactElement } from "react";
import type { DeliveryDetails } from "../api/models.ts";
import { Cell, HeadCell, Row, Table, type Column } from "../ui/table.tsx";
import { Moment } from "../values/moment.tsx";
import { formatDuration } from "../values/time.ts";

const columns: readonly Column[] = [
  { name: "Attempt" },
  { name: "Answer" },
  { name: "Time" },
  { name: "Took", isNumeric: true },
  { name: "Address", isSecondary: true },
  { name: "Caused by", isSecondary: true },
];

/** The attempts that have ended, oldest first, with the answers of the receiver. */
export function AttemptsTable({ attempts }: { readonly attempts: DeliveryDetails["attempts"] }): ReactElement {
  if (attempts.length === 0) return <p className="text-text-2">No attempt has ended yet.</p>;
  return (
    <Table caption="Attempts" columns={columns}>
      {attempts.map(({ at, durationMs, url, responseCode, error, manual }, index) => {
        const isAccepted = error === undefined;
        const Icon = isAccepted ? CircleCheck : CircleX;
        return (
          <Row key={`${index} ${at}`}>
            <HeadCell>{index + 1}</HeadCell>
            <Cell>
              <span
                className={`inline-flex items-center gap-1.5 font-medium whitespace-nowrap ${isAccepted ? "text-completed" : "text-failed"}`}
              >
                <Icon aria-hidden size={14} className="shrink-0" />
                {isAccepted ? "Accepted" : responseCode === undefined ? "No answer" : "Not accepted"}
                {responseCode !== undefined && `, answered ${responseCode}`}
              </span>
              {!isAccepted && <span className="block max-w-md min-w-40 text-text-2 wrap-anywhere">{error}</span>}
            </Cell>
            <Cell>
              <Moment at={at} />
            </Cell>
            <Cell isNumeric>
              <span className="whitespace-nowrap">{formatDuration(durationMs)}</span>
            </Cell>
            <Cell isSecondary>
              <code className="line-clamp-2 font-mono text-code wrap-anywhere" title={url}>
                {url}
              </code>
            </Cell>
            <Cell isSecondary>
              <span className="whitespace-nowrap">{manual ? "A person" : "The schedule"}</span>
            </Cell>
          </Row>
        );
      })}
    </Table>
  );
}
