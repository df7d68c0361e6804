import type { BacktestedRun, BacktestReport } from "@procedo/engine";
import { moment, table } from "./table.ts";

/** A backtest as people read it: the runs that change, what changes in how many, and the sum of it. */
export function describeBacktest(report: BacktestReport, seconds: number): readonly string[] {
  const { runs, same, changed, diverged, decisions, skipped, summary, changes, procedureId, version } = report;
  const notTried = [
    ...(skipped.archived > 0 ? [`${ofRuns(skipped.archived)} in an archive left out.`] : []),
    ...(skipped.broken > 0 ? [`${ofRuns(skipped.broken)} left out, whose journals cannot be read.`] : []),
  ];
  if (runs === 0 && notTried.length === 0) return [`There are no such runs of "${procedureId}".`];
  if (runs === 0) return [`None of the chosen runs of "${procedureId}" could be tried.`, ...notTried];
  const rest = changed + diverged - changes.length;
  const found = [
    ...table(["RUN", "STARTED", "WAS", "WOULD BE", "WHAT CHANGES"], changes.flatMap(rowsOf)),
    ...(rest > 0 ? [`… and ${ofRuns(rest)} more: --show ${changed + diverged}`] : []),
    "",
    ...table(
      ["WHAT CHANGES", "RUNS"],
      summary.map(({ what, runs: count }) => [what, String(count)]),
    ),
    "",
  ];
  const perSecond = Math.round(runs / Math.max(seconds, 0.001));
  return [
    ...(summary.length > 0 ? found : []),
    `${ofRuns(runs)} of "${procedureId}" tried with "${version}" in ${seconds.toFixed(1)} s (${perSecond} a second): ` +
      `${same} the same, ${changed} changed, ${diverged} diverged from the record.`,
    `${decisions} decisions were made again. Nothing was called, written or sent.`,
    ...notTried,
  ];
}

/** Why a backtest says too little to rely on, with what to change; nothing where it says enough, or that is allowed. */
export function untriedProblems(
  { procedureId, runs, skipped }: Pick<BacktestReport, "procedureId" | "runs" | "skipped">,
  given: { readonly environment: string; readonly allowNone?: true; readonly allowUnread?: true },
): readonly string[] {
  const none =
    skipped.archived + skipped.broken > 0
      ? "Choose others with --runs"
      : `Choose others with --runs or --environment (here: ${given.environment}), or check that "${procedureId}" is the procedure's id`;
  const isUnread = skipped.broken > 0 && given.allowUnread !== true;
  return [
    ...(runs === 0 && given.allowNone !== true
      ? [`NOT passed: no run was tried. ${none}, or give --allow-none where that may be.`]
      : []),
    ...(isUnread
      ? [
          `NOT passed: the journals of ${ofRuns(skipped.broken)} cannot be read. Look for the cause with "procedo audit verify"; ` +
            "give --allow-unread to go without them.",
        ]
      : []),
  ];
}

function ofRuns(count: number): string {
  return count === 1 ? "1 run" : `${count} runs`;
}

/** A line for each difference; the run itself on the first. */
function rowsOf({ runId, createdAtMs, before, after, differences }: BacktestedRun): readonly (readonly string[])[] {
  const ends = [before.status ?? "", after.status ?? "not known"];
  return differences.map(({ message }, index) => {
    return index === 0 ? [runId, moment(createdAtMs), ...ends, message] : ["", "", "", "", message];
  });
}
