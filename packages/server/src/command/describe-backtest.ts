import type { BacktestedRun, BacktestReport } from "@procedo/engine";
import { moment, table } from "./table.ts";

/** A backtest for people: counts of the differences, then the changed runs. */
export function describeBacktest(report: BacktestReport, seconds: number): readonly string[] {
  const { runs, same, changed, diverged, decisions, skipped, summary, changes, procedureId, version } = report;
  const notTried = [
    ...(skipped.archived > 0 ? [`${ofRuns(skipped.archived)} skipped because they are archived.`] : []),
    ...(skipped.broken > 0 ? [`${ofRuns(skipped.broken)} skipped because their journals cannot be read.`] : []),
  ];
  if (runs === 0 && notTried.length === 0) return [`No runs of "${procedureId}" match.`];
  if (runs === 0) return [`None of the chosen runs of "${procedureId}" could be replayed.`, ...notTried];
  const rest = changed + diverged - changes.length;
  const found = [
    ...table(["RUN", "STARTED", "WAS", "WOULD BE", "CHANGE"], changes.flatMap(rowsOf)),
    ...(rest > 0 ? [`… and ${ofRuns(rest)} more: --show ${changed + diverged}`] : []),
    "",
    ...table(
      ["CHANGE", "RUNS"],
      summary.map(({ what, runs: count }) => [what, String(count)]),
    ),
    "",
  ];
  const perSecond = Math.round(runs / Math.max(seconds, 0.001));
  return [
    ...(summary.length > 0 ? found : []),
    `${ofRuns(runs)} of "${procedureId}" replayed with "${version}" in ${seconds.toFixed(1)} s (${perSecond} per second): ` +
      `${same} the same, ${changed} changed, ${diverged} diverged from the record.`,
    `${decisions} decisions were replayed. Nothing was called, written or sent.`,
    ...notTried,
  ];
}

/**
 * Reasons why a backtest is not reliable, each with its remedy. Empty when the result is reliable or the options accept
 * the gap.
 */
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
      ? [`NOT passed: no run was replayed. ${none}, or accept this with --allow-none.`]
      : []),
    ...(isUnread
      ? [
          `NOT passed: the journals of ${ofRuns(skipped.broken)} cannot be read. Find the cause with "procedo audit verify", ` +
            "or accept this with --allow-unread.",
        ]
      : []),
  ];
}

function ofRuns(count: number): string {
  return count === 1 ? "1 run" : `${count} runs`;
}

/** One line per difference; the first one names the run. */
function rowsOf({ runId, createdAtMs, before, after, differences }: BacktestedRun): readonly (readonly string[])[] {
  const ends = [before.status ?? "", after.status ?? "not known"];
  return differences.map(({ message }, index) => {
    return index === 0 ? [runId, moment(createdAtMs), ...ends, message] : ["", "", "", "", message];
  });
}
