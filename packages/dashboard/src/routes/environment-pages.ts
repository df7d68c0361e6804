/* The pages of an environment, with their search parameters. */
import { createRoute } from "@tanstack/react-router";
import { readReviewsSearch } from "../reviews/reviews-shown.ts";
import { readRecordSearch } from "../runs/record-search.ts";
import { readRunFilters } from "../runs/run-filters.ts";
import { readStartRunSearch } from "../runs/start-run-search.ts";
import { runWithTimeline } from "../runs/use-runs.ts";
import { isEnvironment } from "../shell/environment.ts";
import { lazyPage } from "../shell/lazy-page.ts";
import { readFiringsSearch } from "../triggers/firings-search.ts";
import { readNewTriggerSearch } from "../triggers/new-trigger-search.ts";
import { readTriggerFilters } from "../triggers/trigger-filters.ts";
import { textSearch } from "../values/search-params.ts";
import { readDeliveryFilters } from "../webhooks/delivery-filters.ts";
import { environment } from "./frames.tsx";

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

export const home = createRoute({
  getParentRoute: () => environment,
  path: "/",
  component: lazyPage(() => import("../home/home-page.tsx"), "HomePage"),
});

export const runs = createRoute({
  getParentRoute: () => environment,
  path: "runs",
  validateSearch: readRunFilters,
  component: lazyPage(() => import("../runs/runs-page.tsx"), "RunsPage"),
});

export const run = createRoute({
  getParentRoute: () => environment,
  path: "runs/$runId",
  // The run is read while its page is loaded.
  loader: ({ context: { queryClient }, params: { environment: of, runId } }) => {
    if (isEnvironment(of)) void queryClient.prefetchQuery(runWithTimeline(of, runId));
  },
  component: lazyPage(() => import("../runs/run-page.tsx"), "RunPage"),
});

export const runTimeline = createRoute({
  getParentRoute: () => run,
  path: "/",
  validateSearch: textSearch("step"),
  component: lazyPage(() => import("../runs/run-timeline-view.tsx"), "RunTimelineView"),
});

export const runFlowchart = createRoute({
  getParentRoute: () => run,
  path: "flowchart",
  component: lazyPage(() => import("../runs/run-flowchart-view.tsx"), "RunFlowchartView"),
});

export const runData = createRoute({
  getParentRoute: () => run,
  path: "data",
  component: lazyPage(() => import("../runs/run-data-view.tsx"), "RunDataView"),
});

export const runDeliveries = createRoute({
  getParentRoute: () => run,
  path: "deliveries",
  component: lazyPage(() => import("../runs/run-deliveries-view.tsx"), "RunDeliveriesView"),
});

export const runRecord = createRoute({
  getParentRoute: () => run,
  path: "record",
  validateSearch: readRecordSearch,
  component: lazyPage(() => import("../runs/run-record-view.tsx"), "RunRecordView"),
});

export const startRun = createRoute({
  getParentRoute: () => environment,
  path: "runs/new",
  validateSearch: readStartRunSearch,
  component: lazyPage(() => import("../runs/start-run-page.tsx"), "StartRunPage"),
});

export const reviews = createRoute({
  getParentRoute: () => environment,
  path: "reviews",
  validateSearch: readReviewsSearch,
  component: lazyPage(() => import("../reviews/reviews-page.tsx"), "ReviewsPage"),
});

/** The page of reviews shows the list and the review that its address names. */
export const noReview = createRoute({ getParentRoute: () => reviews, path: "/" });

export const review = createRoute({ getParentRoute: () => reviews, path: "$reviewId" });

export const procedures = createRoute({
  getParentRoute: () => environment,
  path: "procedures",
  validateSearch: textSearch("q"),
  component: lazyPage(() => import("../procedures/procedures-page.tsx"), "ProceduresPage"),
});

export const procedure = createRoute({
  getParentRoute: () => environment,
  path: "procedures/$procedureId",
  component: lazyPage(() => import("../procedures/procedure-page.tsx"), "ProcedurePage"),
});

export const editProcedure = createRoute({
  getParentRoute: () => environment,
  path: "procedures/$procedureId/edit",
  validateSearch: textSearch("view"),
  component: lazyPage(() => import("../editor/editor-page.tsx"), "EditorPage"),
});

export const version = createRoute({
  getParentRoute: () => environment,
  path: "procedures/$procedureId/versions/$version",
  component: lazyPage(() => import("../procedures/version-page.tsx"), "VersionPage"),
});

export const compare = createRoute({
  getParentRoute: () => environment,
  path: "procedures/$procedureId/compare",
  validateSearch: (search: Record<string, unknown>): { readonly from: string; readonly to: string } => ({
    from: textOf(search["from"]),
    to: textOf(search["to"]),
  }),
  component: lazyPage(() => import("../procedures/compare-page.tsx"), "ComparePage"),
});

export const connections = createRoute({
  getParentRoute: () => environment,
  path: "connections",
  validateSearch: textSearch("q"),
  component: lazyPage(() => import("../connections/connections-page.tsx"), "ConnectionsPage"),
});

export const newConnection = createRoute({
  getParentRoute: () => environment,
  path: "connections/new",
  validateSearch: textSearch("kind", "name"),
  component: lazyPage(() => import("../connections/new-connection-page.tsx"), "NewConnectionPage"),
});

export const connection = createRoute({
  getParentRoute: () => environment,
  path: "connections/$connectionId",
  validateSearch: textSearch("authorized", "q"),
  component: lazyPage(() => import("../connections/connection-page.tsx"), "ConnectionPage"),
});

export const editConnection = createRoute({
  getParentRoute: () => environment,
  path: "connections/$connectionId/edit",
  component: lazyPage(() => import("../connections/edit-connection-page.tsx"), "EditConnectionPage"),
});

export const action = createRoute({
  getParentRoute: () => environment,
  path: "connections/$connectionId/actions/$name",
  component: lazyPage(() => import("../connections/action-page.tsx"), "ActionPage"),
});

export const webhooks = createRoute({
  getParentRoute: () => environment,
  path: "webhooks",
  component: lazyPage(() => import("../webhooks/webhooks-page.tsx"), "WebhooksPage"),
});

export const newWebhook = createRoute({
  getParentRoute: () => environment,
  path: "webhooks/new",
  component: lazyPage(() => import("../webhooks/new-webhook-page.tsx"), "NewWebhookPage"),
});

export const webhook = createRoute({
  getParentRoute: () => environment,
  path: "webhooks/$webhookId",
  validateSearch: readDeliveryFilters,
  component: lazyPage(() => import("../webhooks/webhook-page.tsx"), "WebhookPage"),
});

export const delivery = createRoute({
  getParentRoute: () => environment,
  path: "webhooks/$webhookId/deliveries/$deliveryId",
  component: lazyPage(() => import("../webhooks/delivery-page.tsx"), "DeliveryPage"),
});

export const apiKeys = createRoute({
  getParentRoute: () => environment,
  path: "api-keys",
  component: lazyPage(() => import("../api-keys/api-keys-page.tsx"), "ApiKeysPage"),
});

export const triggers = createRoute({
  getParentRoute: () => environment,
  path: "triggers",
  validateSearch: readTriggerFilters,
  component: lazyPage(() => import("../triggers/triggers-page.tsx"), "TriggersPage"),
});

export const newTrigger = createRoute({
  getParentRoute: () => environment,
  path: "triggers/new",
  validateSearch: readNewTriggerSearch,
  component: lazyPage(() => import("../triggers/new-trigger-page.tsx"), "NewTriggerPage"),
});

export const trigger = createRoute({
  getParentRoute: () => environment,
  path: "triggers/$triggerId",
  validateSearch: readFiringsSearch,
  component: lazyPage(() => import("../triggers/trigger-page.tsx"), "TriggerPage"),
});

export const editTrigger = createRoute({
  getParentRoute: () => environment,
  path: "triggers/$triggerId/edit",
  component: lazyPage(() => import("../triggers/edit-trigger-page.tsx"), "EditTriggerPage"),
});

export const firing = createRoute({
  getParentRoute: () => environment,
  path: "triggers/$triggerId/firings/$firingId",
  component: lazyPage(() => import("../triggers/firing-page.tsx"), "FiringPage"),
});
