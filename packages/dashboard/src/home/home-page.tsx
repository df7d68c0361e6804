import type { ReactElement } from "react";
import { useEnvironment } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { Section } from "../ui/section.tsx";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import { Age } from "../values/moment.tsx";
import { useNow } from "../values/now.ts";
import { attentionRows, lastChangeOf } from "./attention.ts";
import { AttentionList } from "./attention-list.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { Numbers } from "./numbers.tsx";
import { ProcedureVolume } from "./procedure-volume.tsx";
import { useHome, type HomeRead } from "./use-home.ts";
import { WeekBars } from "./week-bars.tsx";

/** What needs a person, and how the week went. */
export function HomePage(): ReactElement {
  const environment = useEnvironment();
  const { data, error, retry } = useHome(environment);
  return (
    <Page
      heading="Home"
      isLoading={data === undefined && error === undefined}
      error={error}
      onRetry={retry}
      actions={<CopyAsCurl request={{ path: `/api/v1/summary?environment=${environment}` }} />}
    >
      {data !== undefined && <Content {...data} />}
    </Page>
  );
}

function Content({ summary, attention, latest }: HomeRead): ReactElement {
  const nowMs = useNow();
  const names = new Map(summary.procedures.map(({ procedureId, name }) => [procedureId, name]));
  const isEmpty = latest.length === 0;
  return (
    <>
      <Section title="Needs attention">
        <AttentionList
          rows={attentionRows(attention, nowMs)}
          lastChangeAt={lastChangeOf(latest)}
          procedureNames={names}
        />
      </Section>
      {isEmpty ? <FirstSteps /> : <Numbers summary={summary} />}
      <div className="grid items-start gap-x-6 gap-y-4 lg:grid-cols-2">
        <Section title="Last 7 days">
          <WeekBars days={summary.days} />
        </Section>
        <Section title="Procedures">
          <ProcedureVolume procedures={summary.procedures} />
        </Section>
      </div>
      <p className="text-small text-text-3">
        Counted <Age since={summary.at} />. Days are in UTC, and a run counts for the day of its start. Cancelled runs
        are not counted.
      </p>
    </>
  );
}
