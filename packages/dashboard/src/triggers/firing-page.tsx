import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { RotateCw } from "lucide-react";
import type { ReactElement } from "react";
import { hasCode } from "../api/api-error.ts";
import { answerOf, api } from "../api/client.ts";
import type { components } from "../api/schema.d.ts";
import { triggerById } from "../api/triggers.ts";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { Button, buttonClass } from "../ui/button.tsx";
import { Alert, Problem } from "../ui/problem.tsx";
import { Section } from "../ui/section.tsx";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import type { JsonValue } from "../values/json-lines.ts";
import { JsonView } from "../values/json-view.tsx";
import { FiringFacts } from "./firing-facts.tsx";
import { firingReason, mayRefire } from "./firing-words.ts";
import { placeWords } from "./place-words.ts";
import { useAbilities } from "./use-abilities.ts";
import { firingById } from "./use-triggers.ts";

const route = getRouteApi("/signed-in/$environment/triggers/$triggerId/firings/$firingId");

/** One firing: its event, what became of it, and firing it again. */
export function FiringPage(): ReactElement {
  const environment = useEnvironment();
  const { triggerId, firingId } = route.useParams();
  const found = useQuery(firingById(environment, triggerId, firingId));
  const trigger = useQuery(triggerById(environment, triggerId)).data;
  const firing = found.data;
  const path = `/api/v1/triggers/${encodeURIComponent(triggerId)}/firings/${encodeURIComponent(firingId)}`;
  return (
    <Page
      heading="Firing"
      subtitle={
        <Link to="/$environment/triggers/$triggerId" params={{ environment, triggerId }} className="wrap-anywhere">
          {trigger?.name ?? triggerId}
        </Link>
      }
      isLoading={found.isPending}
      error={found.error}
      onRetry={() => void found.refetch()}
      actions={
        <>
          <CopyAsCurl request={{ path: `${path}?environment=${environment}&include=event,input` }} />
          {firing !== undefined && <Refire key={firingId} firing={firing} />}
        </>
      }
    >
      {firing !== undefined && <Content firing={firing} />}
    </Page>
  );
}

type FiringDetails = components["schemas"]["FiringDetails"];

function Content({ firing }: { readonly firing: FiringDetails }): ReactElement {
  const { status, error, event, content, input } = firing;
  const reason = firingReason(firing);
  return (
    <>
      {status === "failed" ? (
        <Alert>
          <p>{reason}</p>
          {error !== undefined && <ErrorDetails error={error} />}
        </Alert>
      ) : (
        reason !== undefined && <p className="font-medium">{reason}</p>
      )}
      <FiringFacts firing={firing} />
      {content !== undefined && (
        <Section title="Event">
          <JsonView what="Event" value={content.event as JsonValue} />
        </Section>
      )}
      {content !== undefined && Object.keys(content.headers).length > 0 && (
        <Section title="Headers">
          <JsonView what="Headers" value={content.headers} />
        </Section>
      )}
      {event !== undefined && content === undefined && (
        <p className="text-text-2">The content of its event is not kept any more.</p>
      )}
      {input !== undefined && (
        <Section title="Input of the run">
          <JsonView what="Input" value={input as JsonValue} />
        </Section>
      )}
    </>
  );
}

function ErrorDetails({
  error: { message, details },
}: {
  readonly error: NonNullable<FiringDetails["error"]>;
}): ReactElement {
  return (
    <div className="font-normal text-text">
      <p>{message}</p>
      <ul className="list-disc pl-5">
        {details.map((detail) => (
          <li key={`${detail.path} ${detail.message}`}>{placeWords(detail.path, detail.message)}</li>
        ))}
      </ul>
    </div>
  );
}

/** Fires the event again, of a firing that started no run. */
function Refire({ firing }: { readonly firing: FiringDetails }): ReactElement | null {
  const environment = useEnvironment();
  const { mayRun } = useAbilities();
  const queryClient = useQueryClient();
  const { id: firingId, triggerId } = firing;
  const refire = useMutation({
    mutationFn: () =>
      answerOf(
        api.POST("/api/v1/triggers/{triggerId}/firings/{firingId}/refire", {
          params: { path: { triggerId, firingId }, query: { environment } },
          body: {},
        }),
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["trigger", environment] }),
  });
  if (!mayRun || !mayRefire(firing)) return null;
  return (
    <>
      <Button
        variant="primary"
        icon={RotateCw}
        busyLabel={refire.isPending ? "Firing …" : undefined}
        onClick={() => refire.mutate()}
      >
        {writeLabel("Fire again", environment)}
      </Button>
      {refire.error !== null && (
        <div className="w-full">
          <Problem error={refire.error} />
          {hasCode(refire.error, "offline", "unexpected") && (
            <p className="text-text-2">It may have been fired. The firings of the trigger tell.</p>
          )}
        </div>
      )}
      <div role="status" className="contents">
        {refire.data !== undefined && (
          <Link
            to="/$environment/triggers/$triggerId/firings/$firingId"
            params={{ environment, triggerId, firingId: refire.data.firingId }}
            className={buttonClass("primary")}
          >
            Open the new firing
          </Link>
        )}
      </div>
    </>
  );
}
