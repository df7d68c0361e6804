import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { procedureChoices } from "../api/procedure-choices.ts";
import type { Trigger } from "../api/models.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Fact, Facts } from "../ui/facts.tsx";
import { Identifier } from "../values/identifier.tsx";
import { Age, Moment } from "../values/moment.tsx";
import { durationWords } from "./duration-words.ts";
import { kindWords } from "./kind-words.ts";
import { catchUpWords, overlapWords, sourceWords } from "./source-words.ts";
import { TriggerStateBadge } from "./state-badge.tsx";
import { stateOf } from "./trigger-state.ts";
import { useEventTypes, type EventType } from "./use-event-types.ts";

const linkClass = "underline decoration-control underline-offset-2 hover:decoration-current";

/** What a trigger is, in words. */
export function TriggerFacts({ trigger }: { readonly trigger: Trigger }): ReactElement {
  const environment = useEnvironment();
  const { source, procedureId, version, overlap, maxOpenRuns, pauseAfterFailures, health, updatedBy } = trigger;
  const procedures = useQuery(procedureChoices(environment)).data ?? [];
  const nameOf = (id: string): string | undefined => procedures.find((one) => one.procedureId === id)?.name;
  const typesOf = useEventTypes(source.kind === "integration");
  const { what, detail } = sourceWords(source, { procedureName: nameOf });
  const started = source.kind === "integration" ? eventTitles(source.events, typesOf(source.connection)) : what;
  return (
    <div className="rounded-panel border border-hairline bg-surface p-4">
      <Facts>
        <Fact name="State">
          <TriggerStateBadge state={stateOf(trigger)} />
        </Fact>
        <Fact name={kindWords[source.kind]}>
          {started} <span className="font-normal text-text-3">{detail}</span>
        </Fact>
        <Fact name="Starts">
          <Link to="/$environment/procedures/$procedureId" params={{ environment, procedureId }} className={linkClass}>
            {nameOf(procedureId) ?? procedureId}
          </Link>{" "}
          <span className="font-normal text-text-3">{version === null ? "default version" : `version ${version}`}</span>
        </Fact>
        <Fact name="For">{updatedBy}</Fact>
        <Fact name="While a run is open">
          {overlapWords[overlap]}
          {maxOpenRuns !== null && (
            <span className="font-normal text-text-3">, at most {maxOpenRuns.toLocaleString("en-GB")}</span>
          )}
        </Fact>
        {source.kind === "schedule" && (
          <>
            <Fact name="After downtime">
              {catchUpWords[source.catchUp]}
              {source.catchUp !== "none" && (
                <span className="font-normal text-text-3"> of the last {durationWords(source.catchUpWithin)}</span>
              )}
            </Fact>
            {source.startsAt !== null && (
              <Fact name="From">
                <Moment at={source.startsAt} />
              </Fact>
            )}
            {source.endsAt !== null && (
              <Fact name="Until">
                <Moment at={source.endsAt} />
              </Fact>
            )}
            {source.spread !== "PT0S" && <Fact name="Spread over">{durationWords(source.spread)}</Fact>}
          </>
        )}
        {pauseAfterFailures !== null && (
          <Fact name="Pauses after">
            {pauseAfterFailures === 1 ? "1 failure" : `${pauseAfterFailures} failures in a row`}
          </Fact>
        )}
        {health.waiting > 0 && (
          <Fact name="Waiting">
            {health.waiting >= 1_000 ? "1,000 or more" : health.waiting.toLocaleString("en-GB")}
          </Fact>
        )}
        <Fact name="Last change">
          <Age since={trigger.updatedAt} />
        </Fact>
        <Fact name="Id">
          <span className="font-normal">
            <Identifier what="trigger id" id={trigger.id} />
          </span>
        </Fact>
      </Facts>
    </div>
  );
}

function eventTitles(events: readonly string[], types: readonly EventType[]): string {
  return events.map((type) => types.find((one) => one.type === type)?.title ?? type).join(", ");
}
