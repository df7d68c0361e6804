import type { ReactElement } from "react";
import type { components } from "../api/schema.d.ts";
import { Cell, HeadCell, Row, Table } from "../ui/table.tsx";
import { useTimeZone } from "../values/preferences.ts";
import { formatMoment } from "../values/time.ts";

type ScheduledTime = components["schemas"]["ScheduledTime"];

interface NextTimesProps {
  readonly times: readonly ScheduledTime[];
  /** The zone of the schedule. */
  readonly timeZone: string;
}

/** Times of a schedule in the reader's zone and in its own, with the reason where one is shifted. */
export function NextTimes({ times, timeZone }: NextTimesProps): ReactElement {
  const own = useTimeZone();
  const isSame = own === timeZone;
  return (
    <Table
      caption="Next times"
      columns={[
        { name: isSame ? `Time (${timeZone})` : `Your time (${own})` },
        ...(isSame ? [] : [{ name: `Time of the schedule (${timeZone})` }]),
        ...(times.some(hasRemark) ? [{ name: "Remark" }] : []),
      ]}
    >
      {times.map((time) => (
        <Row key={time.scheduledAt}>
          <HeadCell>
            <time dateTime={time.at} className="font-normal whitespace-nowrap">
              {formatMoment(time.at, own)}
            </time>
          </HeadCell>
          {!isSame && (
            <Cell>
              <time dateTime={time.at} className="whitespace-nowrap">
                {formatMoment(time.at, timeZone)}
              </time>
            </Cell>
          )}
          {times.some(hasRemark) && <Cell>{remarkOf(time, timeZone)}</Cell>}
        </Row>
      ))}
    </Table>
  );
}

function hasRemark({ note, at, scheduledAt }: ScheduledTime): boolean {
  return note !== undefined || Date.parse(at) !== Date.parse(scheduledAt);
}

function remarkOf({ note, at, scheduledAt }: ScheduledTime, timeZone: string): string {
  const spread =
    Date.parse(at) === Date.parse(scheduledAt) ? undefined : `Due ${formatMoment(scheduledAt, timeZone)}, and spread.`;
  return [note, spread].filter((one) => one !== undefined).join(" ");
}
