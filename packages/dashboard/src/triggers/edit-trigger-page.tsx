import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState, type ReactElement } from "react";
import { hasCode } from "../api/api-error.ts";
import { answerOf, api } from "../api/client.ts";
import type { Trigger } from "../api/models.ts";
import { triggerById } from "../api/triggers.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { Button } from "../ui/button.tsx";
import { Alert } from "../ui/problem.tsx";
import { MayNotChange } from "./new-trigger-page.tsx";
import { bodyOf, draftOf } from "./trigger-draft.ts";
import { TriggerForm } from "./trigger-form.tsx";
import { useAbilities } from "./use-abilities.ts";

const route = getRouteApi("/signed-in/$environment/triggers/$triggerId/edit");

/** Changes a trigger. Its runs start for the person who saves it. */
export function EditTriggerPage(): ReactElement {
  const environment = useEnvironment();
  const { triggerId } = route.useParams();
  const { mayChange } = useAbilities();
  const found = useQuery(triggerById(environment, triggerId));
  if (!mayChange) return <MayNotChange heading="Edit trigger" />;
  return (
    <Page
      heading={found.data === undefined ? "Edit trigger" : `Edit ${found.data.name}`}
      subtitle={
        <Link to="/$environment/triggers/$triggerId" params={{ environment, triggerId }}>
          Back to the trigger
        </Link>
      }
      isLoading={found.isPending}
      error={found.data === undefined ? found.error : null}
      onRetry={() => void found.refetch()}
    >
      {found.data !== undefined && <EditForm key={triggerId} present={found.data} />}
    </Page>
  );
}

function EditForm({ present }: { readonly present: Trigger }): ReactElement {
  const environment = useEnvironment();
  const navigate = route.useNavigate();
  const queryClient = useQueryClient();
  // The trigger that the person began to edit. Changes by others meanwhile never replace what this person has typed.
  const [opened, setOpened] = useState(present);
  const triggerId = opened.id;
  const update = useMutation({
    mutationFn: (members: ReadonlyMap<string, string>) =>
      answerOf(
        api.PATCH("/api/v1/triggers/{triggerId}", {
          params: { path: { triggerId }, query: { environment } },
          body: {},
          bodySerializer: () => bodyOf(new Map([...members, ["revision", String(opened.revision)]])),
        }),
      ),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ["trigger", environment] });
      await navigate({
        to: "/$environment/triggers/$triggerId",
        params: { environment, triggerId },
        ignoreBlocker: true,
      });
    },
  });
  const isOutdated = hasCode(update.error, "revision_conflict") || present.revision !== opened.revision;
  return (
    <>
      {isOutdated && !update.isPending && !update.isSuccess && (
        <Alert tone="review">
          <p>{present.updatedBy} changed this trigger while you were editing.</p>
          <p className="font-normal text-text">
            What you entered is still below. To begin anew with the present values, open them: what you entered is lost
            then.
          </p>
          <Button
            className="mt-2"
            onClick={() => {
              update.reset();
              void queryClient
                .fetchQuery({ ...triggerById(environment, triggerId), staleTime: 0 })
                .then(setOpened, () => undefined);
            }}
          >
            Open the present values
          </Button>
        </Alert>
      )}
      <TriggerForm
        key={opened.revision}
        initial={draftOf(opened, Intl.DateTimeFormat().resolvedOptions().timeZone)}
        isStored
        submitLabel="Save"
        busyLabel={update.isPending ? "Saving …" : undefined}
        error={hasCode(update.error, "revision_conflict") ? null : update.error}
        onSubmit={(members) => update.mutate(members)}
      />
    </>
  );
}
