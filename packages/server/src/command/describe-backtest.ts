import type { BacktestedRun, BacktestReport } from "@procedo/engine";
import { moment, table } from "./table.ts";

/** A backtest as people read it: the runs that change, what changes in how many, and the sum of it. */
export function describeBacktest(report: BacktestReport, seconds: number): readonly string[] {
  const { runs, same, changed, left, decisions, skipped, summary, changes, procedureId, version } = report;
  const ofRuns = (count: number): string => (count === 1 ? "1 run" : `${count} runs`);
  const notTried = [
    ...(skipped.archived > 0 ? [`${ofRuns(skipped.archived)} in an archive left out.`] : []),
    ...(skipped.broken > 0 ? [`${ofRuns(skipped.broken)} left out, whose journals cannot be read.`] : []),
  ];
  if (runs === 0) return [`There are no such runs of "${procedureId}".`, ...notTried];
  const rest = changed + left - changes.length;
  const found = [
    ...table(["RUN", "STARTED", "WAS", "WOULD BE", "WHAT CHANGES"], changes.flatMap(rowsOf)),
    ...(rest > 0 ? [`… and ${ofRuns(rest)} more: --show ${changed + left}`] : []),
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
      `${same} the same, ${changed} changed, ${left} not known to their end.`,
    `${decisions} decisions were made again. Nothing was called, written or sent.`,
    ...notTried,
  ];
}

/** A line for each difference; the run itself on the first. */
function rowsOf({ runId, createdAtMs, before, after, differences }: BacktestedRun): readonly (readonly string[])[] {
  const ends = [before.status ?? "", after.status ?? "not known"];
  return differences.map(({ message }, index) => {
    return index === 0 ? [runId, moment(createdAtMs), ...ends, message] : ["", "", "", "", message];
  });
}
