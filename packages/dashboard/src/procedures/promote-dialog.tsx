import { useMutation, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import type { Procedure } from "../api/models.ts";
import { documentOf, versionOf } from "../api/versions.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Alert, Problem } from "../ui/problem.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { useToast } from "../ui/toasts.tsx";
import { ChangesList } from "../changes/changes-list.tsx";
import { ConnectionsInLive } from "./connections-in-live.tsx";
import { problemsInLive } from "./use-procedures.ts";

interface PromoteDialogProps {
  readonly procedure: Procedure;
  readonly onClose: () => void;
}

/** Makes the default of sandbox the default of live, after showing what changes and which connections it uses. */
export function PromoteDialog({ procedure, onClose }: PromoteDialogProps): ReactElement {
  const { procedureId, name } = procedure;
  const environment = useEnvironment();
  const queryClient = useQueryClient();
  const toast = useToast();
  // The versions that the person was shown. Another default never takes their place unseen.
  const [defaults, setDefaults] = useState(procedure.defaults);
  const isOutdated = procedure.defaults.sandbox !== defaults.sandbox || procedure.defaults.live !== defaults.live;
  const version = defaults.sandbox ?? "";
  const [next, present] = useQueries({
    queries: [
      versionOf(environment, procedureId, version),
      { ...versionOf(environment, procedureId, defaults.live ?? ""), enabled: defaults.live !== undefined },
    ],
  });
  const check = useQuery(
    next.data === undefined
      ? { queryKey: ["connection", "live", "no-version"], queryFn: () => [], enabled: false }
      : problemsInLive(next.data),
  );
  const isBlocked = check.data?.some(({ severity }) => severity === "error") === true;
  const promote = useMutation({
    mutationFn: () =>
      answerOf(
        api.PUT("/api/v1/procedures/{procedureId}/defaults/{environment}", {
          params: { path: { procedureId, environment: "live" }, query: { environment: "live" } },
          body: { version },
        }),
      ),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ["procedure"] });
      toast(`Version ${version} is the default in live.`);
      onClose();
    },
  });
  const isReady =
    next.data !== undefined && (defaults.live === undefined || present.data !== undefined) && check.isSuccess;
  return (
    <Dialog
      title="Promote to live"
      isWide
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Back</Button>
          <Button
            variant="primary"
            disabled={!isReady || isBlocked || isOutdated}
            busyLabel={promote.isPending ? "Promoting …" : undefined}
            onClick={() => promote.mutate()}
          >
            Promote Live
          </Button>
        </>
      }
    >
      <p>
        Runs of {name} that start in live from now on execute version <strong>{version}</strong>
        {defaults.live === undefined ? ". " : `, no longer version ${defaults.live}. `}
        Runs that have begun keep their version.
      </p>
      {isOutdated && !promote.isPending && !promote.isSuccess && (
        <Alert tone="review">
          <p>The defaults changed while you were reading.</p>
          <Button className="mt-2" onClick={() => setDefaults(procedure.defaults)}>
            Show the present changes
          </Button>
        </Alert>
      )}
      {next.error !== null && <Problem error={next.error} onRetry={() => void next.refetch()} />}
      {present.error !== null && <Problem error={present.error} onRetry={() => void present.refetch()} />}
      {check.error !== null && <Problem error={check.error} onRetry={() => void check.refetch()} />}
      {next.isPending && next.error === null && <Skeleton rows={3} />}
      {next.data !== undefined && check.data !== undefined && (
        <ConnectionsInLive version={next.data} problems={check.data} />
      )}
      {next.data !== undefined && (
        <section aria-label="Changes" className="flex flex-col gap-2">
          <h3 className="font-semibold">Changes</h3>
          {defaults.live === undefined && (
            <p className="text-text-2">Live has had no default version. All of it is new.</p>
          )}
          {present.data !== undefined && (
            <ChangesList before={documentOf(present.data)} after={documentOf(next.data)} />
          )}
        </section>
      )}
      {promote.error !== null && <Problem error={promote.error} />}
    </Dialog>
  );
}
