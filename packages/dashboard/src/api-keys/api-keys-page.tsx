import { KeyRound } from "lucide-react";
import { useState, type ReactElement } from "react";
import type { components } from "../api/schema.d.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { environmentsOf, hasAbility, useSession } from "../shell/session.ts";
import { mayNotManage } from "../shell/why-not.ts";
import { Button } from "../ui/button.tsx";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import { ShownOnce } from "../values/shown-once.tsx";
import { ApiKeysTable } from "./api-keys-table.tsx";
import { CreateApiKeyDialog } from "./create-api-key-dialog.tsx";

type Created = components["schemas"]["CreatedApiKey"];

/** The keys by which programs use the API, those of the page's environment first. */
export function ApiKeysPage(): ReactElement {
  const environment = useEnvironment();
  // Another environment begins without the key that was shown.
  return <ApiKeys key={environment} />;
}

function ApiKeys(): ReactElement {
  const environment = useEnvironment();
  const session = useSession();
  const mayManage = hasAbility(session, environment, "manage");
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<Created>();
  const others = environmentsOf(session).filter((one) => one !== environment);
  return (
    <Page
      heading="API Keys"
      subtitle="Programs use the API with these. A key belongs to one environment."
      actions={
        <>
          <CopyAsCurl request={{ path: `/api/v1/api-keys?environment=${environment}` }} />
          {mayManage && (
            <Button variant="primary" icon={KeyRound} onClick={() => setCreating(true)}>
              New API key
            </Button>
          )}
        </>
      }
    >
      {!mayManage && <p className="text-text-2">{mayNotManage("API keys", environment)}</p>}
      {created !== undefined && (
        <>
          <p>
            Give the key <strong className="wrap-anywhere">{created.name}</strong> to its program only. Who holds it
            acts as {created.person}.
          </p>
          <ShownOnce
            what="API key"
            secret={created.key}
            fileName={`api-key-${created.environment}.txt`}
            onStored={() => setCreated(undefined)}
          />
        </>
      )}
      <ApiKeysTable environment={environment} mayDelete={mayManage} />
      {others.map((other) => (
        <ApiKeysTable key={other} environment={other} mayDelete={false} />
      ))}
      {isCreating && (
        <CreateApiKeyDialog
          onClose={() => setCreating(false)}
          onCreated={(key) => {
            setCreating(false);
            setCreated(key);
          }}
        />
      )}
    </Page>
  );
}
