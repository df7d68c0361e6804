import { useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState, type ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import { listKey } from "../api/query-keys.ts";
import type { components } from "../api/schema.d.ts";
import { environmentNames, useEnvironment } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { buttonClass } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { Section } from "../ui/section.tsx";
import { Identifier } from "../values/identifier.tsx";
import { useTimeZone } from "../values/preferences.ts";
import { ShownOnce } from "../values/shown-once.tsx";
import { bodyOf, newDraft } from "./trigger-draft.ts";
import { TriggerForm } from "./trigger-form.tsx";
import { useAbilities } from "./use-abilities.ts";

const route = getRouteApi("/signed-in/$environment/triggers/new");

type Created = components["schemas"]["CreatedTrigger"];

/** Creates a trigger. The secret of a webhook is shown before its page is opened. */
export function NewTriggerPage(): ReactElement {
  const environment = useEnvironment();
  const timeZone = useTimeZone();
  const { kind = "schedule", procedure = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const queryClient = useQueryClient();
  const { mayChange } = useAbilities();
  const [shown, setShown] = useState<Created>();
  const [initial] = useState(() => newDraft(kind, procedure, timeZone));
  const create = useMutation({
    mutationFn: (members: ReadonlyMap<string, string>) =>
      answerOf(
        api.POST("/api/v1/triggers", {
          params: { query: { environment } },
          body: {} as never,
          bodySerializer: () => bodyOf(members),
        }),
      ),
    onSuccess: async (created) => {
      void queryClient.invalidateQueries({ queryKey: listKey("trigger", environment) });
      if (created.secret === undefined) {
        await navigate({
          to: "/$environment/triggers/$triggerId",
          params: { environment, triggerId: created.id },
          ignoreBlocker: true,
        });
      } else {
        setShown(created);
      }
    },
    // The answer holds the secret.
    gcTime: 0,
  });
  if (!mayChange) return <MayNotChange heading="New trigger" />;
  if (shown !== undefined) return <CreatedTrigger created={shown} />;
  return (
    <Page heading="New trigger">
      <TriggerForm
        initial={initial}
        submitLabel="Create trigger"
        busyLabel={create.isPending ? "Creating …" : undefined}
        error={create.error}
        onSubmit={(members) => create.mutate(members)}
      />
    </Page>
  );
}

/** The address and the secret of a new webhook. */
function CreatedTrigger({ created: { id, name, inbound, secret } }: { readonly created: Created }): ReactElement {
  const environment = useEnvironment();
  const [isStored, setStored] = useState(false);
  return (
    <Page heading={name} subtitle="Give the address and the secret to the service that sends the requests.">
      {inbound !== undefined && (
        <Section title="Inbound address">
          <Identifier what="inbound address" id={inbound.url} />
        </Section>
      )}
      {secret !== undefined && !isStored && (
        <ShownOnce
          what="Signing secret"
          secret={secret}
          fileName="signing-secret.txt"
          onStored={() => setStored(true)}
        />
      )}
      <Link
        to="/$environment/triggers/$triggerId"
        params={{ environment, triggerId: id }}
        className={buttonClass(isStored ? "primary" : "secondary", "self-start")}
      >
        Open the trigger
      </Link>
    </Page>
  );
}

/** What a person reads who may not create or edit triggers. */
export function MayNotChange({ heading }: { readonly heading: string }): ReactElement {
  const environment = useEnvironment();
  const name = environmentNames[environment];
  return (
    <Page heading={heading}>
      <Empty title={`You may not change triggers in ${name}`}>
        <p>Builders and owners do. An owner can change your access to {name} under People.</p>
        <Link to="/$environment/triggers" params={{ environment }} className={buttonClass()}>
          Go to Triggers
        </Link>
      </Empty>
    </Page>
  );
}
