import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import type { ListedConnection } from "../api/models.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Cell, HeadCell, Row, Table, type Column } from "../ui/table.tsx";
import { remedies } from "./health.ts";
import { HealthBadge } from "./health-badge.tsx";

const columns: readonly Column[] = [
  { name: "Name" },
  { name: "Integration", isSecondary: true },
  { name: "Health" },
  { name: "Used by", isSecondary: true },
];

/** Connections with their health, and how many procedures use them. */
export function ConnectionsTable({
  connections,
  titleOf,
}: {
  readonly connections: readonly ListedConnection[];
  readonly titleOf: (integration: string) => string;
}): ReactElement {
  const environment = useEnvironment();
  return (
    <Table caption="Connections" columns={columns}>
      {connections.map(({ id, name, integration, health, uses }) => (
        <Row key={id}>
          <HeadCell>
            <Link
              to="/$environment/connections/$connectionId"
              params={{ environment, connectionId: id }}
              className="inline-block min-w-24 wrap-anywhere"
            >
              {name}
            </Link>
            <span className="block text-small font-normal text-text-3 md:hidden">{titleOf(integration)}</span>
          </HeadCell>
          <Cell isSecondary>{titleOf(integration)}</Cell>
          <Cell>
            <HealthBadge health={health} />
            {remedies[health.status] !== undefined && (
              <span className="block text-small text-text-2">{remedies[health.status]}</span>
            )}
          </Cell>
          <Cell isSecondary>{usesWords(uses ?? 0)}</Cell>
        </Row>
      ))}
    </Table>
  );
}

function usesWords(uses: number): ReactElement {
  if (uses === 0) return <span className="text-text-3">Nothing</span>;
  const words = uses === 1 ? "1 procedure" : `${uses.toLocaleString("en-GB")} procedures`;
  return <span className="whitespace-nowrap">{words}</span>;
}
