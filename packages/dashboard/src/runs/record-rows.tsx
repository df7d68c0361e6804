import { Link } from "@tanstack/react-router";
import { CircleX } from "lucide-react";
import type { ReactElement } from "react";
import { useEnvironment } from "../shell/environment.ts";
import { cx } from "../ui/cx.ts";
import { Cell, HeadCell, Row, Table } from "../ui/table.tsx";
import { useIsPrinting } from "../values/printing.ts";
import type { JsonValue } from "../values/json-lines.ts";
import { JsonView } from "../values/json-view.tsx";
import { Moment } from "../values/moment.tsx";
import type { RunRecord } from "./verify-record.ts";

type RecordRow = RunRecord["rows"][number];

const mostRows = 500;
const shownDigits = 12;

interface RecordRowsProps {
  readonly runId: string;
  readonly rows: readonly RecordRow[];
  /** The row that is shown in full. */
  readonly shownRow: number | undefined;
  readonly wrongRow: number | undefined;
}

/** The rows of a record, and one of them in full. On paper all rows are there, with their whole hashes. */
export function RecordRows({ runId, rows, shownRow, wrongRow }: RecordRowsProps): ReactElement {
  const isPrinting = useIsPrinting();
  const shown = isPrinting ? rows : rows.slice(0, mostRows);
  const open = rows.find(({ seq }) => seq === (shownRow ?? wrongRow));
  // Paper is as narrow as a small screen, and shows everything all the same.
  const isSecondary = !isPrinting;
  // The row that is open shows its own.
  const hasHashes = isPrinting || open === undefined;
  const hash = (text: string): ReactElement => (
    <code className={cx("font-mono text-code", isPrinting ? "wrap-anywhere" : "whitespace-nowrap")} title={text}>
      {isPrinting ? text : `${text.slice(0, shownDigits)}…`}
    </code>
  );
  return (
    <div className={cx("grid items-start gap-4 print:grid-cols-1", open !== undefined && "xl:grid-cols-2")}>
      <div className="flex min-w-0 flex-col gap-2">
        <Table
          caption="Rows"
          columns={[
            { name: "Row" },
            { name: "Time", isSecondary },
            { name: "Entries" },
            ...(hasHashes ? ["Digest", "Hash"].map((name) => ({ name, isSecondary })) : []),
          ]}
        >
          {shown.map((row) => (
            <Row key={row.seq}>
              <HeadCell>
                <RowLink runId={runId} seq={row.seq} isOpen={row === open} isWrong={row.seq === wrongRow} />
              </HeadCell>
              <Cell isSecondary={isSecondary}>{timeOf(row)}</Cell>
              <Cell>{row.entries.map(wordOf).join(", ")}</Cell>
              {hasHashes && <Cell isSecondary={isSecondary}>{hash(row.digest)}</Cell>}
              {hasHashes && <Cell isSecondary={isSecondary}>{hash(row.hash)}</Cell>}
            </Row>
          ))}
        </Table>
        {rows.length > shown.length && (
          <p className="text-text-2">
            The first {shown.length} of {rows.length} rows are listed. All of them are verified, downloaded and printed.
          </p>
        )}
      </div>
      {open !== undefined && !isPrinting && <OpenRow row={open} />}
    </div>
  );
}

function RowLink({
  runId,
  seq,
  isOpen,
  isWrong,
}: {
  readonly runId: string;
  readonly seq: number;
  readonly isOpen: boolean;
  readonly isWrong: boolean;
}): ReactElement {
  const environment = useEnvironment();
  return (
    <span className="flex items-center gap-1.5">
      <Link
        to="/$environment/runs/$runId/record"
        params={{ environment, runId }}
        search={{ row: seq }}
        replace
        resetScroll={false}
        aria-current={isOpen ? "true" : undefined}
        className="underline decoration-control underline-offset-2 hover:decoration-current aria-[current=true]:font-bold"
      >
        {seq}
      </Link>
      {isWrong && (
        <span className="flex items-center gap-1 text-small whitespace-nowrap text-failed">
          <CircleX aria-hidden size={13} /> Does not fit
        </span>
      )}
    </span>
  );
}

function OpenRow({ row }: { readonly row: RecordRow }): ReactElement {
  return (
    <section
      aria-label={`Row ${row.seq}`}
      className="flex min-w-0 flex-col gap-2 rounded-panel border border-hairline bg-surface p-4 xl:sticky xl:top-12"
    >
      <h2 className="text-section font-semibold">Row {row.seq}</h2>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4">
        <dt className="text-text-3">Digest</dt>
        <dd className="font-mono text-code wrap-anywhere">{row.digest}</dd>
        <dt className="text-text-3">Hash</dt>
        <dd className="font-mono text-code wrap-anywhere">{row.hash}</dd>
      </dl>
      <JsonView what="Entries" value={row.entries as JsonValue} />
    </section>
  );
}

function timeOf({ entries }: RecordRow): ReactElement | null {
  const atMs = memberOf(entries[0], "atMs");
  return typeof atMs === "number" ? <Moment at={new Date(atMs).toISOString()} /> : null;
}

/** What the types of entries say happened. */
const words: Readonly<Record<string, string>> = {
  started: "run started",
  recovered: "taken over",
  prompted: "model asked",
  replied: "model replied",
  concluded: "agent concluded",
  intent: "call begun",
  outcome: "call ended",
  node_failed: "step failed",
  held: "waits for authorization",
  emitted: "event sent",
  cancel_requested: "cancellation asked for",
  ended: "run ended",
};

function wordOf(entry: unknown): string {
  const type = memberOf(entry, "type");
  return typeof type === "string" ? (words[type] ?? type.replaceAll("_", " ")) : "entry";
}

function memberOf(entry: unknown, name: string): unknown {
  return typeof entry === "object" && entry !== null ? (entry as Readonly<Record<string, unknown>>)[name] : undefined;
}
