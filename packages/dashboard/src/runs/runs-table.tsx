import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo, useRef, type ReactElement, type RefObject } from "react";
import type { RunSummary } from "../api/models.ts";
import { useEnvironment } from "../shell/environment.ts";
import { useShortcuts, type Shortcut } from "../shell/shortcuts.ts";
import { cx } from "../ui/cx.ts";
import { StatusBadge } from "../ui/status-badge.tsx";
import { shortId } from "../values/identifier.tsx";
import { Age, Elapsed, Moment } from "../values/moment.tsx";
import { triggerWord } from "./run-trigger.ts";
import { shownStatus } from "./shown-status.ts";
import { procedureChoices, procedureOptions } from "../api/procedure-choices.ts";

const head =
  "sticky top-7 z-1 bg-surface px-2 py-2 sm:first:pl-3 sm:last:pr-3 text-left font-medium whitespace-nowrap inset-shadow-[0_-1px_var(--color-hairline)] pointer-coarse:top-11";
const cell = "truncate px-2 py-1 sm:first:pl-3 sm:last:pr-3";

/** The runs as rows, on a phone as entries of two lines. */
export function RunsTable({
  runs,
  isOutdated,
}: {
  readonly runs: readonly RunSummary[];
  /** Whether other rows are being read. */
  readonly isOutdated: boolean;
}): ReactElement {
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body);
  const procedures = useQuery(procedureChoices(useEnvironment())).data;
  const names = useMemo(
    () => new Map(procedureOptions(procedures ?? []).map(({ value, label }) => [value, label])),
    [procedures],
  );
  return (
    <div className="rounded-panel border border-hairline bg-surface sm:overflow-x-clip">
      <table
        aria-busy={isOutdated}
        className={cx("w-full table-fixed border-collapse max-sm:block", isOutdated && "opacity-60")}
      >
        <caption className="sr-only">Runs</caption>
        <thead className="max-sm:sr-only">
          <tr className="text-small text-text-2">
            <th scope="col" className={cx(head, "w-[17%]")}>
              Run
            </th>
            <th scope="col" className={cx(head, "w-40")}>
              Status
            </th>
            <th scope="col" className={head}>
              Procedure
            </th>
            <th scope="col" className={cx(head, "w-46")}>
              Started
            </th>
            <th scope="col" className={cx(head, "w-22 text-right")}>
              Duration
            </th>
            <th scope="col" className={cx(head, "w-[12%] max-lg:hidden")}>
              Started by
            </th>
            <th scope="col" className={cx(head, "max-xl:hidden")}>
              Waiting for
            </th>
          </tr>
        </thead>
        <tbody ref={body} className="divide-y divide-hairline max-sm:block">
          {runs.map((run) => (
            <RunRow key={run.runId} run={run} procedure={names.get(run.procedureId) ?? run.procedureId} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RunRow({
  run,
  procedure,
}: {
  readonly run: RunSummary;
  /** The name of its procedure. */
  readonly procedure: string;
}): ReactElement {
  const environment = useEnvironment();
  const { runId, procedureId, procedureVersion, createdAt, completedAt, reference, waitingFor } = run;
  const starter = starterOf(run);
  return (
    <tr className="relative scroll-my-16 h-8 focus-within:bg-sunken hover:bg-sunken max-sm:grid max-sm:h-auto max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:gap-x-3 max-sm:px-3 max-sm:py-2 sm:pointer-coarse:h-11">
      <th scope="row" className={cx(cell, "text-left font-medium max-sm:order-1 max-sm:p-0")}>
        {/* The link covers the row. */}
        <Link
          to="/$environment/runs/$runId"
          params={{ environment, runId }}
          title={reference === undefined ? runId : `${reference} · ${runId}`}
          className="no-underline before:absolute before:inset-0 hover:underline"
        >
          {reference !== undefined && <span className="pr-2">{reference}</span>}
          <span
            className={cx(
              "font-mono text-code",
              reference !== undefined && "hidden font-normal text-text-3 2xl:inline",
            )}
          >
            {shortId(runId)}
          </span>
        </Link>
      </th>
      <td className={cx(cell, "max-sm:order-2 max-sm:p-0 max-sm:text-right")}>
        <StatusBadge status={shownStatus(run)} isPlain />
      </td>
      <td
        className={cx(cell, "max-sm:order-3 max-sm:p-0 max-sm:text-text-2")}
        title={`${procedureId} ${procedureVersion}`}
      >
        {procedure} <span className="text-text-3">{procedureVersion}</span>
      </td>
      <td className={cx(cell, "max-sm:order-4 max-sm:p-0 max-sm:text-right max-sm:text-small max-sm:text-text-3")}>
        <Moment at={createdAt} />
      </td>
      <td className={cx(cell, "text-right tabular-nums max-sm:hidden")}>
        <Elapsed from={createdAt} to={completedAt} />
      </td>
      <td className={cx(cell, "text-text-2 max-lg:hidden")} title={starter}>
        {starter}
      </td>
      <td className={cx(cell, "text-text-2 max-xl:hidden")} title={waitingFor?.title}>
        {waitingFor !== undefined && (
          <>
            {waitingFor.title}{" "}
            <span className="text-text-3">
              <Age since={waitingFor.since} />
            </span>
          </>
        )}
      </td>
    </tr>
  );
}

/** The person, after the kind of the trigger where one started the run for them. */
function starterOf({ startedBy, trigger }: RunSummary): string {
  return trigger === undefined || trigger.kind === "manual" ? startedBy : `${triggerWord(trigger)} · ${startedBy}`;
}

/** j and k move through the rows; the browser opens the focused one by Enter. */
function useRowKeys(bodyRef: RefObject<HTMLElement | null>): void {
  const shortcuts = useMemo(
    (): readonly Shortcut[] => [
      { keys: "j", does: "Next run", run: () => focusRow(bodyRef.current, 1) },
      { keys: "k", does: "Previous run", run: () => focusRow(bodyRef.current, -1) },
    ],
    [bodyRef],
  );
  useShortcuts(shortcuts);
}

function focusRow(body: HTMLElement | null, by: 1 | -1): void {
  const links = [...(body?.querySelectorAll<HTMLElement>("th a") ?? [])];
  const at = links.findIndex((link) => link === document.activeElement);
  const next = links[at < 0 ? 0 : Math.min(links.length - 1, Math.max(0, at + by))];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
