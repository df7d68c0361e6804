/* The addresses of the dashboard: one tree. Pages are loaded when they open. */
import type { QueryClient } from "@tanstack/react-query";
import { createRouter, type AnyRoute } from "@tanstack/react-router";
import { dashboardAddress } from "./api/address.ts";
import * as pages from "./routes/environment-pages.ts";
import { environment, root, signedIn, workspace } from "./routes/frames.tsx";
import { join, signIn, start } from "./routes/sign-in-pages.tsx";
import { account, audit, people, settings } from "./routes/workspace-pages.ts";
import { FailedPage } from "./shell/failed-page.tsx";
import { NotFoundPage } from "./shell/not-found-page.tsx";
import { readSearch, writeSearch } from "./values/search-params.ts";

const tree = root.addChildren([
  signIn,
  join("/setup"),
  join("/invitation"),
  signedIn.addChildren([
    start,
    workspace.addChildren([account, people, audit, settings]),
    environment.addChildren([
      pages.home,
      pages.runs,
      pages.startRun,
      pages.run.addChildren([
        pages.runTimeline,
        pages.runFlowchart,
        pages.runData,
        pages.runDeliveries,
        pages.runRecord,
      ]),
      pages.procedures,
      pages.procedure,
      pages.editProcedure,
      pages.version,
      pages.compare,
      pages.reviews.addChildren([pages.noReview, pages.review]),
      pages.connections,
      pages.newConnection,
      pages.connection,
      pages.editConnection,
      pages.action,
      pages.webhooks,
      pages.newWebhook,
      pages.webhook,
      pages.delivery,
      pages.apiKeys,
      pages.triggers,
      pages.newTrigger,
      pages.trigger,
      pages.editTrigger,
      pages.firing,
    ]),
  ]),
] as const satisfies readonly AnyRoute[]);

export function createDashboardRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree: tree,
    basepath: dashboardAddress,
    parseSearch: readSearch,
    stringifySearch: writeSearch,
    context: { queryClient },
    scrollRestoration: true,
    defaultNotFoundComponent: NotFoundPage,
    defaultErrorComponent: FailedPage,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createDashboardRouter>;
  }
}
