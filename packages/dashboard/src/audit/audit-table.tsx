import { Link } from "@tanstack/react-router";
import { ArrowRight } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import type { Environment } from "../api/models.ts";
import { Cell, HeadCell, Row, Table, type Column } from "../ui/table.tsx";
import { Moment } from "../values/moment.tsx";
import { factsOf, subjectOf, type AuditEntry, type ChangeFact } from "./change-facts.ts";
import { wordsOf } from "./change-words.ts";

const columns: readonly Column[] = [
  { name: "Change" },
  { name: "Subject" },
  { name: "Facts" },
  { name: "Made by" },
  { name: "Time" },
];

/** Changes of the workspace, newest first. */
export function AuditTable({
  entries,
  environment,
  showsPeople,
}: {
  readonly entries: readonly AuditEntry[];
  readonly environment: Environment;
  /** Whether the reader may open the page of people. */
  readonly showsPeople: boolean;
}): ReactElement {
  return (
    <Table caption="Changes" columns={columns}>
      {entries.map((entry) => (
        <Row key={entry.seq}>
          <HeadCell>
            <Link
              to="/audit"
              search={{ environment, action: entry.action, subject: entry.subject }}
              className="whitespace-nowrap"
              title={entry.action}
            >
              {wordsOf(entry.action)}
            </Link>
          </HeadCell>
          <Cell>
            <Subject entry={entry} environment={environment} showsPeople={showsPeople} />
          </Cell>
          <Cell>
            <Facts facts={factsOf(entry)} />
          </Cell>
          <Cell>
            <span title={`By ${entry.via}`} className={classOf(entry.by)}>
              {breakable(entry.by)}
            </span>
          </Cell>
          <Cell>
            <Moment at={entry.at} />
            <span title={`Hash ${entry.hash}`} className="block text-small text-text-3">
              Entry {entry.seq}
            </span>
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

function Subject({
  entry,
  environment,
  showsPeople,
}: {
  readonly entry: AuditEntry;
  readonly environment: Environment;
  readonly showsPeople: boolean;
}): ReactElement {
  const { text, target } = subjectOf(entry);
  const className = classOf(text);
  switch (target.kind) {
    case "version":
      return (
        <Link
          to="/$environment/procedures/$procedureId/versions/$version"
          params={{ environment, procedureId: target.procedureId, version: target.version }}
          className={className}
        >
          {breakable(text)}
        </Link>
      );
    case "procedure":
      return (
        <Link
          to="/$environment/procedures/$procedureId"
          params={{ environment, procedureId: target.procedureId }}
          className={className}
        >
          {breakable(text)}
        </Link>
      );
    case "person":
      if (!showsPeople) return <span className={className}>{breakable(text)}</span>;
      return (
        <Link to="/people" search={{ edit: target.personId }} className={className}>
          {breakable(text)}
        </Link>
      );
    case "none":
      return <span className={className}>{breakable(text)}</span>;
  }
}

/** A long text without spaces is cut into lines anywhere. */
function classOf(text: string): string | undefined {
  return text.length > 48 ? "inline-block min-w-48 wrap-anywhere" : undefined;
}

/** An e-mail address may go on in the next line after its name. */
function breakable(text: string): ReactNode {
  const at = text.indexOf("@");
  if (at === -1) return text;
  return (
    <>
      {text.slice(0, at)}
      <wbr />
      {text.slice(at)}
    </>
  );
}

const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function Facts({ facts }: { readonly facts: readonly ChangeFact[] }): ReactElement {
  return (
    <ul className="flex max-w-xl min-w-52 flex-col">
      {facts.map(({ name, before, value }) => (
        <li key={name} className="line-clamp-3 wrap-anywhere" title={value.length > 100 ? value : undefined}>
          <span className="text-text-3">{name}: </span>
          {before !== undefined && (
            <>
              <span className="text-text-2">{before === "" ? "none" : before}</span>{" "}
              <ArrowRight aria-hidden size={12} className="inline text-text-3" />
              <span className="sr-only">became</span>{" "}
            </>
          )}
          {isMoment.test(value) ? <Moment at={value} /> : value === "" ? "none" : value}
        </li>
      ))}
    </ul>
  );
}
