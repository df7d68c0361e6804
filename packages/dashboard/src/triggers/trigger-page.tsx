import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState, type ReactElement } from "react";
import type { Trigger } from "../api/models.ts";
import { triggerById } from "../api/triggers.ts";
import { environmentNames, useEnvironment } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { Section } from "../ui/section.tsx";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import { FiringsSection } from "./firings-section.tsx";
import { InboundAddress } from "./inbound-address.tsx";
import { MappingSection } from "./mapping-section.tsx";
import { NextTimes } from "./next-times.tsx";
import { RotatedSecret, type Rotated } from "./rotated-secret.tsx";
import { TriggerActions } from "./trigger-actions.tsx";
import { TriggerFacts } from "./trigger-facts.tsx";
import { TriggerTrouble } from "./trigger-trouble.tsx";
import { useAbilities } from "./use-abilities.ts";

const route = getRouteApi("/signed-in/$environment/triggers/$triggerId");

/** One trigger: its state, when it fires, what it starts, and how its firings went. */
export function TriggerPage(): ReactElement {
  const { triggerId } = route.useParams();
  return <OneTrigger key={triggerId} triggerId={triggerId} />;
}

function OneTrigger({ triggerId }: { readonly triggerId: string }): ReactElement {
  const environment = useEnvironment();
  const found = useQuery(triggerById(environment, triggerId));
  const [rotated, setRotated] = useState<Rotated>();
  const trigger = found.data;
  return (
    <Page
      heading={trigger?.name ?? "Trigger"}
      isLoading={found.isPending}
      error={found.error}
      onRetry={() => void found.refetch()}
      actions={
        trigger === undefined ? (
          <CopyAsCurl
            request={{ path: `/api/v1/triggers/${encodeURIComponent(triggerId)}?environment=${environment}` }}
          />
        ) : (
          <TriggerActions trigger={trigger} onRotated={setRotated} />
        )
      }
    >
      {rotated !== undefined && <RotatedSecret rotated={rotated} onStored={() => setRotated(undefined)} />}
      {trigger !== undefined && <Content trigger={trigger} />}
    </Page>
  );
}

function Content({ trigger }: { readonly trigger: Trigger }): ReactElement {
  const environment = useEnvironment();
  const { mayManage } = useAbilities();
  return (
    <>
      <TriggerTrouble trigger={trigger} />
      <TriggerFacts trigger={trigger} />
      {!mayManage && (
        <p className="text-text-2">
          You may look at triggers in {environmentNames[environment]}. Builders and owners change them.
        </p>
      )}
      {trigger.source.kind === "schedule" && trigger.next.length > 0 && (
        <Section title="Next times">
          <NextTimes times={trigger.next} timeZone={trigger.source.timeZone} />
        </Section>
      )}
      <InboundAddress trigger={trigger} />
      <FiringsSection trigger={trigger} />
      <MappingSection trigger={trigger} />
    </>
  );
}
