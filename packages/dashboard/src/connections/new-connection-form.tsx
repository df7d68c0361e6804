import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useMemo, useState, type FormEvent, type ReactElement } from "react";
import { ApiError } from "../api/api-error.ts";
import { answerOf, api } from "../api/client.ts";
import type { Integration } from "../api/models.ts";
import { listKey } from "../api/query-keys.ts";
import type { components } from "../api/schema.d.ts";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { Problem } from "../ui/problem.tsx";
import { useToast } from "../ui/toasts.tsx";
import { isSame } from "../values/is-same.ts";
import {
  emptyDraft,
  fieldPlaces,
  problemAt,
  refusalProblems,
  requestOf,
  type ConnectionDraft,
} from "./connection-draft.ts";
import { ConnectionFields } from "./connection-fields.tsx";
import { connectionForm } from "./connection-form.ts";
import { useFirstProblem } from "./use-first-problem.ts";

export type CreatedConnection = components["schemas"]["CreatedConnection"];
type Request = components["schemas"]["CreateConnectionRequest"];

/** The fields of one kind of connection. */
export function NewConnectionForm({
  integration,
  name,
  onName,
  draft: given,
  onDraft,
  onCreated,
}: {
  readonly integration: Integration;
  readonly name: string;
  readonly onName: (name: string) => void;
  /** `undefined` for an untouched form. */
  readonly draft: ConnectionDraft | undefined;
  /** Called with `undefined` once nothing is entered any more. */
  readonly onDraft: (draft: ConnectionDraft | undefined) => void;
  /** Called for a connection whose tokens are shown once. The page of another one is opened. */
  readonly onCreated: (created: CreatedConnection) => void;
}): ReactElement {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const showToast = useToast();
  const isPrivate = integration.kind === "private";
  const form = useMemo(() => connectionForm(integration), [integration]);
  const empty = useMemo(() => emptyDraft(form), [form]);
  const draft = given ?? empty;
  const [missing, setMissing] = useState<ReadonlyMap<string, string>>(new Map());
  const create = useMutation({
    mutationFn: (body: Request) =>
      answerOf(api.POST("/api/v1/connections", { params: { query: { environment } }, body })),
    onSuccess: async (created) => {
      void queryClient.invalidateQueries({ queryKey: listKey("connection", environment) });
      if (created.tokens !== undefined) return onCreated(created);
      showToast(`${created.name} was created.`);
      await navigate({
        to: "/$environment/connections/$connectionId",
        params: { environment, connectionId: created.id },
        ignoreBlocker: true,
      });
    },
    // Nothing keeps secrets and tokens but the page.
    gcTime: 0,
  });
  const error = create.error instanceof ApiError ? create.error : undefined;
  const refused = refusalProblems(error, fieldPlaces(form, draft));
  const problems = missing.size > 0 ? missing : refused.problems;
  const formRef = useFirstProblem(problems);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.reset();
    const request = requestOf(form, draft);
    const nameless = name.trim() === "" ? [["/name", "is required."] as const] : [];
    if (!request.isValid) return setMissing(new Map([...nameless, ...request.problems]));
    if (nameless.length > 0) return setMissing(new Map(nameless));
    setMissing(new Map());
    const { settings, secrets } = request;
    const common = { name: name.trim(), integration: integration.id };
    create.mutate(isPrivate ? common : { ...common, environment, settings, secrets });
  };
  return (
    <form ref={formRef} noValidate onSubmit={submit} className="flex max-w-3xl flex-col gap-4">
      <TextField
        label="Name"
        required
        maxLength={128}
        autoComplete="off"
        hint="Steps of procedures name the connection by it. Give it the same name in Sandbox and in Live."
        value={name}
        problem={problemAt(problems, "/name")}
        onChange={({ target }) => onName(target.value)}
      />
      {isPrivate ? (
        <p className="max-w-prose text-text-2">
          A program in your network asks this service for work over outbound HTTPS, and serves functions that you write.
          You get its tokens in the next step, with the lines to install it.
        </p>
      ) : (
        <ConnectionFields
          form={form}
          draft={draft}
          problems={problems}
          isNew
          asksForSecrets
          onChange={(next) => onDraft(isSame(next, empty) ? undefined : next)}
        />
      )}
      {integration.oauth && integration.kind === "coded" && (
        <p className="max-w-prose text-text-2">
          Where no token is given, a person authorizes the connection at {integration.title} once it is created. Its
          page has the button.
        </p>
      )}
      {create.error !== null && !refused.isWhole && <Problem error={create.error} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Link to="/$environment/connections" params={{ environment }} className={buttonClass()}>
          Back
        </Link>
        <Button type="submit" variant="primary" busyLabel={create.isPending ? "Creating …" : undefined}>
          {writeLabel("Create connection", environment)}
        </Button>
      </div>
    </form>
  );
}
