import type { RunSummary } from "../api/models.ts";
import { statusWord } from "../ui/status-word.ts";
import { csvText, type CsvCell } from "../values/csv.ts";
import { triggerWord } from "./run-trigger.ts";
import { shownStatus } from "./shown-status.ts";

const columns: readonly (readonly [head: string, cell: (run: RunSummary) => CsvCell])[] = [
  ["Run", ({ runId }) => runId],
  ["Reference", ({ reference }) => ({ outside: reference })],
  ["Status", (run) => statusWord(shownStatus(run))],
  ["Procedure", ({ procedureId }) => ({ outside: procedureId })],
  ["Version", ({ procedureVersion }) => ({ outside: procedureVersion })],
  ["Environment", ({ environment }) => environment],
  ["Started", ({ createdAt }) => createdAt],
  ["Ended", ({ completedAt }) => completedAt],
  ["Started by", ({ startedBy }) => ({ outside: startedBy })],
  ["Trigger", ({ trigger }) => trigger && triggerWord(trigger)],
  ["Trigger id", ({ trigger }) => trigger?.triggerId],
  ["Waiting for", ({ waitingFor }) => ({ outside: waitingFor?.title })],
  ["Error", ({ error }) => ({ outside: error })],
];

/** The runs as CSV, with ids, references and times in full. */
export function runsCsv(runs: readonly RunSummary[]): string {
  return csvText(
    columns.map(([head]) => head),
    runs.map((run) => columns.map(([, cell]) => cell(run))),
  );
}
