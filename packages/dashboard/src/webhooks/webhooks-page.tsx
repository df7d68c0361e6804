import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import type { ReactElement } from "react";
import { environmentNames, useEnvironment } from "../shell/environment.ts";
import { Page } from "../shell/page.tsx";
import { hasAbility, useSession } from "../shell/session.ts";
import { mayNotManage } from "../shell/why-not.ts";
import { buttonClass } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import { WebhooksTable } from "./webhooks-table.tsx";
import { allWebhooks } from "./use-webhooks.ts";

/** The addresses that receive the events of an environment. */
export function WebhooksPage(): ReactElement {
  const environment = useEnvironment();
  const mayManage = hasAbility(useSession(), environment, "manage");
  const webhooks = useQuery(allWebhooks(environment));
  const create = (
    <Link to="/$environment/webhooks/new" params={{ environment }} className={buttonClass("primary")}>
      <Plus aria-hidden size={15} />
      New webhook
    </Link>
  );
  return (
    <Page
      heading="Webhooks"
      subtitle={`Addresses that receive the events of ${environmentNames[environment]}`}
      isLoading={webhooks.isPending}
      error={webhooks.error}
      onRetry={() => void webhooks.refetch()}
      actions={
        <>
          <CopyAsCurl request={{ path: `/api/v1/webhooks?environment=${environment}` }} />
          {mayManage && create}
        </>
      }
    >
      {!mayManage && <p className="text-text-2">{mayNotManage("webhooks", environment)}</p>}
      {webhooks.data?.length === 0 && (
        <Empty title="No address receives events yet.">
          <p className="max-w-prose">
            A webhook tells another system that a run completed, failed or waits for a review. Each request is signed,
            and is sent again until the system has accepted it.
          </p>
        </Empty>
      )}
      {webhooks.data !== undefined && webhooks.data.length > 0 && <WebhooksTable webhooks={webhooks.data} />}
    </Page>
  );
}
