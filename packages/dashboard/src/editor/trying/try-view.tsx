/*
 * Tries the draft in the sandbox, with the input of a past run or a new one.
 *
 *   try-view.tsx   the page; try-form.tsx: the input
 *   try-plan.ts    whether the draft is published first
 *   use-try.ts     publishes and starts; past-runs.ts: the runs whose input can be taken
 */
import type { DocumentProblem, JsonObject, ProcedureDocument } from "@procedo/contract";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import type { Procedure } from "../../api/models.ts";
import { documentOf, newestVersions, versionOf } from "../../api/versions.ts";
import { hasAbility, useSession } from "../../shell/session.ts";
import { Alert, Problem } from "../../ui/problem.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TryForm } from "./try-form.tsx";
import { tryPlan } from "./try-plan.ts";

interface TryViewProps {
  readonly procedure: Procedure;
  readonly document: ProcedureDocument;
  /** The saved revision; `undefined` while the draft is not saved. */
  readonly revision: number | undefined;
  readonly problems: readonly DocumentProblem[];
}

export function TryView({ procedure, document, revision, problems }: TryViewProps): ReactElement {
  const session = useSession();
  const { procedureId } = procedure;
  const mayTry = hasAbility(session, "sandbox", "run") && hasAbility(session, "sandbox", "manage");
  const versions = useQuery({ ...newestVersions("sandbox", procedureId), enabled: mayTry });
  const newest = versions.data?.data[0]?.version;
  const published = useQuery({
    ...versionOf("sandbox", procedureId, newest ?? ""),
    enabled: mayTry && newest !== undefined,
  });
  if (!mayTry) {
    return (
      <Alert tone="review">You may not start runs in Sandbox. An owner can give you the role builder there.</Alert>
    );
  }
  const error = versions.error ?? published.error;
  if (error !== null) return <Problem error={error} onRetry={() => void versions.refetch()} />;
  if (versions.data === undefined || (newest !== undefined && published.data === undefined))
    return <Skeleton rows={4} />;
  const plan = tryPlan({
    document: document as unknown as JsonObject,
    revision,
    errors: problems.filter(({ severity }) => severity === "error").length,
    newest:
      newest === undefined || published.data === undefined
        ? undefined
        : { version: newest, document: documentOf(published.data) as unknown as JsonObject },
    versions: versions.data.data.map(({ version }) => version),
  });
  return (
    <section aria-label="Try in sandbox" className="flex max-w-2xl flex-col gap-4">
      <p className="text-text-2">
        Starts a run in the sandbox, also while you edit in live. Nothing of it reaches live.{" "}
        {plan.kind === "publish" && newest !== undefined && (
          <>
            Only published versions run: the draft is published as version <strong>{plan.version}</strong> first. It
            becomes no default, so that other runs stay with theirs.
          </>
        )}
        {plan.kind === "publish" && newest === undefined && (
          <>
            Only published versions run: the draft is published as version <strong>{plan.version}</strong> first. As the
            first version, it becomes the default in sandbox.
          </>
        )}
        {plan.kind === "run" && (
          <>
            The draft is version <strong>{plan.version}</strong>, without a change.
          </>
        )}
      </p>
      <TryForm procedureId={procedureId} input={document.input} plan={plan} />
    </section>
  );
}
