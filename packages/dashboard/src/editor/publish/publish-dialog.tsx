import type { DocumentProblem, JsonObject, ProcedureDocument } from "@procedo/contract";
import { useMutation, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import { fieldProblems } from "../../api/field-problems.ts";
import { answerOf, api } from "../../api/client.ts";
import type { Environment, Procedure } from "../../api/models.ts";
import { oneKey } from "../../api/query-keys.ts";
import { documentOf, newestVersions, versionOf } from "../../api/versions.ts";
import { environmentNames, useEnvironment, writeLabel } from "../../shell/environment.ts";
import { hasAbility, useSession } from "../../shell/session.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { CheckboxField, TextField } from "../../ui/field.tsx";
import { Alert, Problem } from "../../ui/problem.tsx";
import { sameJson } from "../draft/same-json.ts";
import { problemsOf } from "../draft/read-draft.ts";
import { comparisons } from "./comparisons.ts";
import { PublishedChanges } from "./published-changes.tsx";
import { nextVersionName } from "./version-name.ts";

interface PublishDialogProps {
  readonly procedure: Procedure;
  readonly document: ProcedureDocument;
  /** The saved revision; `undefined` while the draft is not saved. */
  readonly revision: number | undefined;
  readonly problems: readonly DocumentProblem[];
  readonly onPublished: (version: string) => void;
  readonly onClose: () => void;
}

/** Publishes the draft as a version, after showing what changes. */
export function PublishDialog({
  procedure,
  document,
  revision,
  problems,
  onPublished,
  onClose,
}: PublishDialogProps): ReactElement {
  const environment = useEnvironment();
  const session = useSession();
  const queryClient = useQueryClient();
  const { procedureId, defaults } = procedure;
  const versions = useQuery(newestVersions(environment, procedureId));
  const newest = (versions.data?.data ?? procedure.versions)[0]?.version;
  const taken = new Set((versions.data?.data ?? procedure.versions).map(({ version }) => version));
  const [typed, setTyped] = useState<string>();
  const version = typed ?? nextVersionName(newest, taken);
  const [defaultIn, setDefaultIn] = useState<readonly Environment[]>(
    defaults.sandbox !== undefined || newest === undefined ? ["sandbox"] : [],
  );
  const chosen = defaultIn.filter((one) => hasAbility(session, one, "manage"));
  const compared = comparisons(chosen, { defaults, present: defaults[environment] ?? newest });
  // The page has the problems of its own environment. The other one may lack a connection, or people who approve.
  const elsewhere = useQueries({
    queries: chosen
      .filter((one) => one !== environment)
      .map((one) => ({
        queryKey: oneKey("procedure", one, procedureId, "publishing", document),
        queryFn: () => problemsOf(one, procedureId, document as unknown as JsonObject),
        gcTime: 0,
      })),
  });
  const isChecking = elsewhere.some(({ data }) => data === undefined);
  const all = [...problems, ...elsewhere.flatMap(({ data = [] }) => data)];
  const found = [...new Map(all.map((problem) => [`${problem.path} ${problem.message}`, problem])).values()];
  const publish = useMutation({
    mutationFn: () =>
      answerOf(
        api.POST("/api/v1/procedures/{procedureId}/versions", {
          params: { path: { procedureId }, query: { environment } },
          body: {
            version,
            ...(revision !== undefined && { revision }),
            ...(newest !== undefined && { basedOn: newest }),
            defaultIn: chosen,
          },
        }),
      ),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ["procedure"] });
      onPublished(version);
    },
  });
  const errors = found.filter(({ severity }) => severity === "error");
  const warnings = found.filter(({ severity }) => severity === "warning");
  const fields = fieldProblems(publish.error, ["/version"]);
  const published = useQuery({
    ...versionOf(environment, procedureId, newest ?? ""),
    enabled: newest !== undefined,
  });
  const isSame = revision === 0 || (published.data !== undefined && sameJson(documentOf(published.data), document));
  const isComparing = newest !== undefined && published.data === undefined;
  return (
    <Dialog
      title="Publish"
      isWide
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Back</Button>
          <Button
            variant="primary"
            disabled={
              revision === undefined || isSame || isComparing || isChecking || errors.length > 0 || version === ""
            }
            busyLabel={publish.isPending ? "Publishing …" : undefined}
            onClick={() => publish.mutate()}
          >
            {writeLabel("Publish", chosen.includes("live") ? "live" : environment)}
          </Button>
        </>
      }
    >
      <p>A version never changes. Runs that have begun keep the version with which they began.</p>
      {revision === undefined && (
        <Alert tone="review">The draft is not saved yet. It can be published as soon as all changes are saved.</Alert>
      )}
      {isSame && newest !== undefined && (
        <Alert tone="review">There is nothing to publish: the draft is the same as version {newest}.</Alert>
      )}
      {published.error !== null && <Problem error={published.error} onRetry={() => void published.refetch()} />}
      {errors.length > 0 && (
        <Alert>
          {errors.length === 1 ? "One problem has" : `${errors.length} problems have`} to be fixed first:{" "}
          {errors[0]?.message}
        </Alert>
      )}
      <TextField
        label="Version"
        className="max-w-60"
        autoComplete="off"
        maxLength={128}
        value={version}
        onChange={({ target }) => setTyped(target.value)}
        problem={fields.of("/version")}
      />
      <fieldset className="flex flex-col gap-1">
        <legend className="pb-1 font-medium">New runs execute it</legend>
        {(["sandbox", "live"] as const).map((one) => {
          const may = hasAbility(session, one, "manage");
          const present =
            defaults[one] === undefined ? "It has no default yet." : `Its default is version ${defaults[one]}.`;
          return (
            <CheckboxField
              key={one}
              label={`Default in ${one}`}
              hint={may ? present : `You change nothing in ${environmentNames[one]}.`}
              disabled={!may}
              checked={may && defaultIn.includes(one)}
              onChange={({ target }) =>
                setDefaultIn(target.checked ? [...defaultIn, one] : defaultIn.filter((other) => other !== one))
              }
            />
          );
        })}
      </fieldset>
      {warnings.length > 0 && (
        <section aria-label="Warnings" className="flex flex-col gap-1">
          <h3 className="font-semibold">Warnings</h3>
          <ul className="list-disc pl-5">
            {warnings.map(({ message }, index) => (
              <li key={index} className="wrap-anywhere">
                {message}
              </li>
            ))}
          </ul>
        </section>
      )}
      <section aria-label="Changes" className="flex flex-col gap-2">
        {compared.map((comparison) => (
          <PublishedChanges
            key={comparison.environments.join()}
            procedureId={procedureId}
            document={document}
            comparison={comparison}
          />
        ))}
        {elsewhere.map(({ error, refetch }, index) =>
          error === null ? null : <Problem key={index} error={error} onRetry={() => void refetch()} />,
        )}
      </section>
      {fields.rest !== null && publish.error !== null && <Problem error={fields.rest} />}
    </Dialog>
  );
}
