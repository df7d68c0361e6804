import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import type { Connection } from "../api/models.ts";
import { useEnvironment } from "../shell/environment.ts";
import { environmentsOf, useSession } from "../shell/session.ts";
import { Problem } from "../ui/problem.tsx";
import { Section } from "../ui/section.tsx";
import { Cell, HeadCell, Row, Table, type Column } from "../ui/table.tsx";
import { Age } from "../values/moment.tsx";
import { InstallLines } from "./install-lines.tsx";
import { TokenSection } from "./token-section.tsx";
import { privateClients } from "./use-private-connection.ts";

/** The parts of a private connection: its tokens, and the clients that serve it. */
export function PrivateSections({
  connection: { id, tokenEnvironments = [] },
}: {
  readonly connection: Connection;
}): ReactElement {
  const environment = useEnvironment();
  const session = useSession();
  return (
    <>
      <div className="grid gap-4 lg:grid-cols-2">
        {environmentsOf(session).map((one) => (
          <TokenSection key={one} connectionId={id} environment={one} hasToken={tokenEnvironments.includes(one)} />
        ))}
      </div>
      <Clients connectionId={id} />
      <InstallLines connectionId={id} environment={environment} />
    </>
  );
}

const columns: readonly Column[] = [
  { name: "Client" },
  { name: "Last seen" },
  { name: "Version", isSecondary: true },
  { name: "Functions", isSecondary: true },
];

function Clients({ connectionId }: { readonly connectionId: string }): ReactElement {
  const environment = useEnvironment();
  const clients = useQuery(privateClients(environment, connectionId));
  const found = clients.data?.data ?? [];
  return (
    <Section title="Clients">
      {clients.error !== null && <Problem error={clients.error} onRetry={() => void clients.refetch()} />}
      {clients.isSuccess && found.length === 0 && (
        <p className="text-text-2">No client has asked for work within the last day in this environment.</p>
      )}
      {found.length > 0 && (
        <Table caption="Clients" columns={columns}>
          {found.map(({ clientId, version, lastPollAt, functions }) => (
            <Row key={clientId}>
              <HeadCell>
                <span className="wrap-anywhere">{clientId === "" ? "Without a name" : clientId}</span>
              </HeadCell>
              <Cell>
                <Age since={lastPollAt} />
              </Cell>
              <Cell isSecondary>
                <span className="wrap-anywhere">{version}</span>
              </Cell>
              <Cell isSecondary>
                <span className="wrap-anywhere">{functions.join(", ")}</span>
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </Section>
  );
}
