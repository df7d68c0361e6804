import { useMutation, useQueries, useQueryClient } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import type { Procedure, Version } from "../api/models.ts";
import { versionOf } from "../api/versions.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Problem } from "../ui/problem.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { useToast } from "../ui/toasts.tsx";
import { ChangesList } from "./changes-list.tsx";

/** Makes the default of sandbox the default of live, after showing what changes and which connections it uses. */
export function PromoteDialog({
  procedure: { procedureId, name, defaults },
  onClose,
}: {
  readonly procedure: Procedure;
  readonly onClose: () => void;
}): ReactElement {
  const environment = useEnvironment();
  const queryClient = useQueryClient();
  const toast = useToast();
  const version = defaults.sandbox ?? "";
  const [next, present] = useQueries({
    queries: [
      versionOf(environment, procedureId, version),
      { ...versionOf(environment, procedureId, defaults.live ?? ""), enabled: defaults.live !== undefined },
    ],
  });
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
            disabled={next.data === undefined}
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
        {defaults.live === undefined ? "." : ` instead of ${defaults.live}. Runs that have begun keep their version.`}
      </p>
      {next.error !== null && <Problem error={next.error} />}
      {next.data === undefined ? (
        <Skeleton rows={3} />
      ) : (
        <>
          {present.data !== undefined && (
            <section aria-label="Changes" className="flex flex-col gap-2">
              <h3 className="font-semibold">Changes</h3>
              <ChangesList before={present.data} after={next.data} />
            </section>
          )}
          <p>
            Connections that it uses in live: <strong>{connectionsOf(next.data).join(", ") || "none"}</strong>.
          </p>
        </>
      )}
      {promote.error !== null && <Problem error={promote.error} />}
    </Dialog>
  );
}

function connectionsOf({ document }: Version): readonly string[] {
  const names = document.nodes.flatMap((node) => (node.kind === "tool_call" ? [node.connection] : []));
  return [...new Set(names)].toSorted();
}
