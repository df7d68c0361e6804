import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { useState, type ReactElement } from "react";
import { UnsavedGuard } from "../forms/unsaved-guard.tsx";
import { useEnvironment } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { hasAbility, useSession } from "../shell/session.ts";
import { mayNotManage } from "../shell/why-not.ts";
import { TextField } from "../ui/field.tsx";
import { Alert } from "../ui/problem.tsx";
import { RadioGroup } from "../ui/radio-group.tsx";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import type { ConnectionDraft } from "./connection-draft.ts";
import { CreatedTokens } from "./created-tokens.tsx";
import { kindOptions } from "./kinds.ts";
import { NewConnectionForm, type CreatedConnection } from "./new-connection-form.tsx";
import { allIntegrations } from "./use-connections.ts";

const route = getRouteApi("/signed-in/$environment/connections/new");

/** Connects a service: chosen by its name, described by a document, or reached by clients in a private network. */
export function NewConnectionPage(): ReactElement {
  const environment = useEnvironment();
  const mayManage = hasAbility(useSession(), environment, "manage");
  // Another environment begins with an empty form, and without tokens.
  if (mayManage) return <NewConnection key={environment} />;
  return (
    <Page heading="New connection">
      <Alert tone="review">{mayNotManage("connections", environment)}</Alert>
    </Page>
  );
}

function NewConnection(): ReactElement {
  const environment = useEnvironment();
  const { kind = "custom_api", name: wantedName = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const integrations = useQuery(allIntegrations(environment));
  const [text, setText] = useState("");
  // The name that a version calls, where it led here.
  const [name, setName] = useState(wantedName);
  // The texts of every kind, so that a look at another one loses nothing.
  const [drafts, setDrafts] = useState<Readonly<Record<string, ConnectionDraft | undefined>>>({});
  const [created, setCreated] = useState<CreatedConnection>();
  if (created?.tokens !== undefined) return <CreatedTokens created={created} tokens={created.tokens} />;
  const all = integrations.data ?? [];
  const chosen = all.find(({ id }) => id === kind);
  return (
    <Page
      heading="New connection"
      isLoading={integrations.isPending}
      error={integrations.error}
      onRetry={() => void integrations.refetch()}
      actions={
        chosen !== undefined && (
          <CopyAsCurl
            request={{
              method: "POST",
              path: `/api/v1/connections?environment=${environment}`,
              body: JSON.stringify({
                name,
                integration: chosen.id,
                ...(chosen.kind !== "private" && { environment, settings: {}, secrets: {} }),
              }),
            }}
          />
        )
      }
    >
      <UnsavedGuard isDirty={name !== wantedName || Object.values(drafts).some((draft) => draft !== undefined)} />
      <div className="flex max-w-4xl flex-col gap-5">
        <TextField
          label="Search integrations"
          type="search"
          icon={Search}
          className="max-w-sm"
          autoComplete="off"
          placeholder="Name or purpose"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <RadioGroup
          legend="Service"
          columns
          value={kind}
          options={kindOptions(all, { text, chosen: kind })}
          onChange={(value) => void navigate({ search: (before) => ({ ...before, kind: value }), replace: true })}
        />
        {chosen !== undefined && (
          <NewConnectionForm
            key={chosen.id}
            integration={chosen}
            name={name}
            onName={setName}
            draft={drafts[chosen.id]}
            onDraft={(draft) => setDrafts((before) => ({ ...before, [chosen.id]: draft }))}
            onCreated={setCreated}
          />
        )}
      </div>
    </Page>
  );
}
