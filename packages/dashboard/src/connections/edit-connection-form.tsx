import { Link } from "@tanstack/react-router";
import { useState, type FormEvent, type ReactElement } from "react";
import { ApiError } from "../api/api-error.ts";
import { answerOf, api } from "../api/client.ts";
import type { Connection, Integration } from "../api/models.ts";
import { UnsavedGuard } from "../forms/unsaved-guard.tsx";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Alert, messageOf, Problem } from "../ui/problem.tsx";
import { useToast } from "../ui/toasts.tsx";
import { isSame } from "../values/is-same.ts";
import {
  draftOf,
  fieldPlaces,
  refusalProblems,
  requestOf,
  specOf,
  type ConnectionDraft,
  type DocumentDraft,
} from "./connection-draft.ts";
import { ConnectionFields } from "./connection-fields.tsx";
import { connectionForm } from "./connection-form.ts";
import { removedSecrets } from "./removed-secrets.ts";
import { concernsCalls, SaveChangesDialog } from "./save-changes-dialog.tsx";
import { settingChanges } from "./setting-changes.ts";
import {
  useChangeConnection,
  usePreviewChange,
  type ChangePreview,
  type ChangeRequest,
  type Updated,
} from "./use-change-connection.ts";
import { useFirstProblem } from "./use-first-problem.ts";

/** The settings of a connection as a form. Only what changed is sent. */
export function EditConnectionForm({
  connection,
  integration,
  onDone,
}: {
  readonly connection: Connection;
  readonly integration: Integration;
  readonly onDone: (updated: Updated) => void;
}): ReactElement {
  const environment = useEnvironment();
  const showToast = useToast();
  // The connection as the form began with it.
  const [before] = useState(connection);
  const [form] = useState(() => connectionForm(integration));
  const [initial] = useState(() => draftOf(form, before));
  const [draft, setDraft] = useState(initial);
  const [missing, setMissing] = useState<ReadonlyMap<string, string>>(new Map());
  /** The text of the present document, once it is shown. */
  const [loaded, setLoaded] = useState<string>();
  const preview = usePreviewChange(environment, before.id);
  const [asked, setAsked] = useState<{ readonly body: ChangeRequest; readonly preview: ChangePreview }>();
  const change = useChangeConnection({ environment, connectionId: before.id }, onDone);
  const isOtherMethod = draft.method !== initial.method;
  const removed = isOtherMethod ? removedSecrets(form, draft, before) : [];
  const failure = change.error ?? preview.error;
  const error = failure instanceof ApiError ? failure : undefined;
  const refused = refusalProblems(error, fieldPlaces(form, draft));
  const problems = missing.size > 0 ? missing : refused.problems;
  const formRef = useFirstProblem(problems);
  const document = isNewDocument(draft.document, loaded) ? draft.document : initial.document;
  const isUnconfirmed = before.health.status === "unconfirmed";
  const edit = (next: ConnectionDraft): void => {
    setDraft(next);
    const begins = next.document.source === "text" && draft.document.source !== "text" && next.document.text === "";
    if (begins) void loadDocument().catch((failure: unknown) => showToast(messageOf(failure)));
  };
  /** The text of the present document, to be edited, unless something was typed meanwhile. */
  const loadDocument = async (): Promise<void> => {
    const params = { path: { connectionId: before.id }, query: { environment, include: "spec" } } as const;
    const { spec = "" } = await answerOf(api.GET("/api/v1/connections/{connectionId}", { params }));
    setLoaded(spec);
    setDraft((now) => (now.document.text === "" ? { ...now, document: { ...now.document, text: spec } } : now));
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    change.reset();
    preview.reset();
    const request = requestOf(form, { ...draft, document }, isOtherMethod);
    if (!request.isValid) return setMissing(request.problems);
    // Without it, calls would stay withheld.
    if (isUnconfirmed && request.settings["baseUrl"] === undefined) {
      return setMissing(new Map([["/settings/baseUrl", "is required: the address to which calls are sent."]]));
    }
    setMissing(new Map());
    const secrets = { ...request.secrets, ...Object.fromEntries(removed.map((name) => [name, null])) };
    const body = {
      settings: settingChanges(before.settings, request.settings),
      ...(Object.keys(secrets).length > 0 && { secrets }),
    };
    if (!form.hasDocument) return change.mutate(body);
    preview.mutate(body, {
      onSuccess: (found) => (concernsCalls(found) ? setAsked({ body, preview: found }) : change.mutate(body)),
    });
  };
  return (
    <form ref={formRef} noValidate onSubmit={submit} className="flex max-w-3xl flex-col gap-4">
      <UnsavedGuard isDirty={!isSame({ ...draft, document }, initial)} />
      {isUnconfirmed && <Alert tone="review">{before.health.message}</Alert>}
      <ConnectionFields
        form={form}
        draft={draft}
        problems={problems}
        isNew={false}
        asksForSecrets={isOtherMethod}
        onChange={edit}
      />
      {removed.length > 0 && (
        <Alert tone="review">Saving removes the secrets of the former method: {removed.join(", ")}.</Alert>
      )}
      {before.usedBy.length > 0 && (
        <p className="text-text-2">
          Procedures use this connection. If a change concerns them, the page says so before it is saved.
        </p>
      )}
      {failure !== null && !refused.isWhole && asked === undefined && <Problem error={failure} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Link
          to="/$environment/connections/$connectionId"
          params={{ environment, connectionId: before.id }}
          className={buttonClass()}
        >
          Back
        </Link>
        <Button
          type="submit"
          variant="primary"
          busyLabel={preview.isPending ? "Comparing …" : change.isPending ? "Saving …" : undefined}
        >
          {writeLabel("Save", environment)}
        </Button>
      </div>
      {asked !== undefined && (
        <SaveChangesDialog
          preview={asked.preview}
          change={change}
          onSave={() => change.mutate(asked.body)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </form>
  );
}

/** Whether a person gave another document than the present one. */
function isNewDocument(document: DocumentDraft, loaded: string | undefined): boolean {
  const spec = specOf(document);
  return spec !== undefined && !("text" in spec && spec.text === loaded);
}
