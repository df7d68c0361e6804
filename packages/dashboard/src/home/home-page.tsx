import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactElement, ReactNode } from "react";
import type { components } from "../api/schema.d.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { Cell, HeadCell, Row, Table } from "../ui/table.tsx";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import { Age } from "../values/moment.tsx";
import { useNow } from "../values/now.ts";
import { attentionRows } from "./attention.ts";
import { AttentionList } from "./attention-list.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { attentionOf, summaryOf } from "./use-home.ts";
import { WeekBars } from "./week-bars.tsx";

type Summary = components["schemas"]["Summary"];

/** What needs a person, and how the week went. */
export function HomePage(): ReactElement {
  const environment = useEnvironment();
  const summary = useQuery(summaryOf(environment));
  const attention = useQuery(attentionOf(environment));
  const nowMs = useNow();
  const error = summary.error ?? attention.error;
  const retry = (): void => void Promise.all([summary.refetch(), attention.refetch()]);
  return (
    <Page
      heading="Home"
      isLoading={summary.isPending || attention.isPending}
      error={error}
      onRetry={retry}
      actions={<CopyAsCurl request={{ path: `/api/v1/summary?environment=${environment}` }} />}
    >
      {summary.data !== undefined && attention.data !== undefined && (
        <>
          <Section title="Needs attention">
            <AttentionList rows={attentionRows({ ...attention.data, attention: summary.data.attention }, nowMs)} />
          </Section>
          {summary.data.procedures.length === 0 && <FirstSteps />}
          <Numbers summary={summary.data} />
          <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
            <Section title="Last 7 days">
              <WeekBars days={summary.data.days} />
            </Section>
            <Section title="Procedures">
              <ProcedureTable procedures={summary.data.procedures} />
            </Section>
          </div>
          <p className="text-small text-text-3">
            Counted <Age since={summary.data.at} />. Days are in UTC.
          </p>
        </>
      )}
    </Page>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactElement {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-2">
      <h2 className="text-section font-semibold">{title}</h2>
      {children}
    </section>
  );
}

function Numbers({ summary: { runs, days } }: { readonly summary: Summary }): ReactElement {
  const today = days.at(-1);
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      <Figure name="Running" count={runs.running} />
      <Figure name="Waiting for review" count={runs.awaitingReview} />
      <Figure name="Completed today" count={today?.completed ?? 0} />
      <Figure name="Failed today" count={today?.failed ?? 0} />
    </dl>
  );
}

function Figure({ name, count }: { readonly name: string; readonly count: number }): ReactElement {
  return (
    <div className="flex flex-col-reverse rounded-panel border border-hairline bg-surface px-4 py-3">
      <dt className="text-small text-text-2">{name}</dt>
      <dd className="text-heading font-semibold tabular-nums">{count.toLocaleString("en")}</dd>
    </div>
  );
}

function ProcedureTable({ procedures }: { readonly procedures: Summary["procedures"] }): ReactElement {
  const environment = useEnvironment();
  if (procedures.length === 0) return <p className="text-text-2">No procedure ran in these days.</p>;
  const columns = [
    { name: "Procedure" },
    { name: "Runs", isNumeric: true },
    { name: "Success", isNumeric: true },
    { name: "Open reviews", isNumeric: true },
  ];
  return (
    <Table caption="Procedures of the last 7 days" columns={columns}>
      {procedures.map(({ procedureId, name, completed, failed, openReviews }) => (
        <Row key={procedureId}>
          <HeadCell>
            <Link to="/$environment/procedures/$procedureId" params={{ environment, procedureId }}>
              {name}
            </Link>
          </HeadCell>
          <Cell isNumeric>{(completed + failed).toLocaleString("en")}</Cell>
          <Cell isNumeric>{successOf(completed, failed)}</Cell>
          <Cell isNumeric>{openReviews}</Cell>
        </Row>
      ))}
    </Table>
  );
}

/** Never rounded up to 100 % while a run failed. */
function successOf(completed: number, failed: number): string {
  const all = completed + failed;
  return all === 0 ? "–" : `${Math.floor((1_000 * completed) / all) / 10} %`;
}
