import { Link } from "@tanstack/react-router";
import { CalendarClock, FileInput, PlugZap, Webhook, type LucideIcon } from "lucide-react";
import type { ReactElement } from "react";
import type { ProcedureSummary, Trigger } from "../api/models.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Cell, HeadCell, Row, Table, type Column } from "../ui/table.tsx";
import { Age, Moment } from "../values/moment.tsx";
import { kindWords, type TriggerKind } from "./kind-words.ts";
import { sourceWords } from "./source-words.ts";
import { TriggerStateBadge } from "./state-badge.tsx";
import { stateOf } from "./trigger-state.ts";
import { useEventTypes } from "./use-event-types.ts";

const columns: readonly Column[] = [
  { name: "Name" },
  { name: "State" },
  { name: "Starts", isSecondary: true },
  { name: "Procedure", isSecondary: true },
  { name: "Next", isSecondary: true },
  { name: "Last firing", isSecondary: true },
];

const icons: Readonly<Record<TriggerKind, LucideIcon>> = {
  schedule: CalendarClock,
  integration: PlugZap,
  webhook: Webhook,
  event: FileInput,
};

export function TriggerTable({
  triggers,
  procedures,
}: {
  readonly triggers: readonly Trigger[];
  readonly procedures: readonly ProcedureSummary[];
}): ReactElement {
  const environment = useEnvironment();
  const names = new Map(procedures.map(({ procedureId, name }) => [procedureId, name]));
  const typesOf = useEventTypes(triggers.some(({ source }) => source.kind === "integration"));
  return (
    <Table caption="Triggers" columns={columns}>
      {triggers.map((trigger) => {
        const { id, name, source, procedureId, next, health } = trigger;
        const connection = source.kind === "integration" ? source.connection : "";
        const { what, detail } = sourceWords(source, {
          eventTitle: (type) => typesOf(connection).find((one) => one.type === type)?.title,
          procedureName: (of) => names.get(of),
        });
        const Icon = icons[source.kind];
        const [first] = next;
        return (
          <Row key={id}>
            <HeadCell>
              <Link
                to="/$environment/triggers/$triggerId"
                params={{ environment, triggerId: id }}
                className="wrap-break-word"
              >
                {name}
              </Link>
              <span className="block text-small font-normal wrap-break-word text-text-2 md:hidden">
                {what} · {names.get(procedureId) ?? procedureId}
                {first !== undefined && (
                  <>
                    <br />
                    Next: <Moment at={first.at} />
                  </>
                )}
              </span>
            </HeadCell>
            <Cell>
              <TriggerStateBadge state={stateOf(trigger)} />
            </Cell>
            <Cell isSecondary>
              <span className="flex items-start gap-2">
                <Icon aria-label={kindWords[source.kind]} size={15} className="mt-0.5 shrink-0 text-text-3" />
                <span className="wrap-anywhere">
                  {what}
                  <span className="block text-small text-text-3">{detail}</span>
                </span>
              </span>
            </Cell>
            <Cell isSecondary>
              <Link
                to="/$environment/procedures/$procedureId"
                params={{ environment, procedureId }}
                className="wrap-anywhere"
              >
                {names.get(procedureId) ?? procedureId}
              </Link>
            </Cell>
            <Cell isSecondary>{first === undefined ? <NoNext trigger={trigger} /> : <Moment at={first.at} />}</Cell>
            <Cell isSecondary>
              {health.lastFiringAt === undefined ? (
                <span className="text-text-3">Never</span>
              ) : (
                <Age since={health.lastFiringAt} />
              )}
            </Cell>
          </Row>
        );
      })}
    </Table>
  );
}

function NoNext({ trigger: { source, state } }: { readonly trigger: Trigger }): ReactElement {
  const word = state === "paused" ? "None while paused" : source.kind === "schedule" ? "None left" : "When it happens";
  return <span className="text-text-3">{word}</span>;
}
