import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { RotateCw } from "lucide-react";
import { useState, type ReactElement } from "react";
import type { Webhook } from "../api/models.ts";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { Problem } from "../ui/problem.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { useTimeZone } from "../values/preferences.ts";
import { DeliveriesTable } from "./deliveries-table.tsx";
import { DeliveryFilterBar } from "./delivery-filter-bar.tsx";
import { hasFilters, readDeliveryFilters, type DeliveryFilters } from "./delivery-filters.ts";
import { ResendPeriodDialog } from "./resend-period-dialog.tsx";
import { deliveryPages } from "./use-webhooks.ts";

const route = getRouteApi("/signed-in/$environment/webhooks/$webhookId");

/** The events of a webhook on their way to its address. */
export function Deliveries({
  webhook,
  mayManage,
}: {
  readonly webhook: Webhook;
  readonly mayManage: boolean;
}): ReactElement {
  const environment = useEnvironment();
  const zone = useTimeZone();
  // The router adds what its address says beside the filters.
  const filters = readDeliveryFilters(route.useSearch());
  const navigate = route.useNavigate();
  const [isResending, setResending] = useState(false);
  const found = useInfiniteQuery(deliveryPages({ environment, webhookId: webhook.id, filters, zone }));
  const deliveries = found.data?.pages.flatMap(({ data }) => data) ?? [];
  const setFilters = (search: DeliveryFilters): void => void navigate({ search, replace: true, resetScroll: false });
  const isEmpty = found.isSuccess && deliveries.length === 0 && !found.hasNextPage;
  return (
    <section aria-label="Deliveries" className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <h2 className="text-section font-semibold">Deliveries</h2>
        {mayManage && (
          <div className="flex flex-wrap items-center gap-2">
            {!webhook.isActive && (
              <span id="why-no-resend" className="text-small text-text-2">
                Activate the webhook first.
              </span>
            )}
            <Button
              icon={RotateCw}
              disabled={!webhook.isActive}
              aria-describedby={webhook.isActive ? undefined : "why-no-resend"}
              onClick={() => setResending(true)}
            >
              {writeLabel("Resend failed", environment)}
            </Button>
          </div>
        )}
      </div>
      <DeliveryFilterBar filters={filters} events={webhook.events} onChange={setFilters} />
      {found.error !== null && <Problem error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <Skeleton rows={4} />}
      {deliveries.length > 0 && (
        <DeliveriesTable webhookId={webhook.id} deliveries={deliveries} mayManage={mayManage} />
      )}
      {isEmpty &&
        (hasFilters(filters) ? (
          <Empty title="No deliveries fit these filters.">
            <Button onClick={() => setFilters({})}>Clear filters</Button>
          </Empty>
        ) : (
          <Empty title="No event was sent yet.">
            <p>Send a test event to see how the receiver answers.</p>
          </Empty>
        ))}
      {deliveries.length === 0 && found.hasNextPage && (
        <p className="text-text-2">None of the newest deliveries fits. Older ones may.</p>
      )}
      {found.hasNextPage && (
        <Button
          className="self-center"
          busyLabel={found.isFetchingNextPage ? "Loading …" : undefined}
          onClick={() => void found.fetchNextPage()}
        >
          Load more
        </Button>
      )}
      {isResending && <ResendPeriodDialog webhook={webhook} onClose={() => setResending(false)} />}
    </section>
  );
}
