/* The addresses of the dashboard: one tree, with the search parameters of each page. Pages are loaded when they open. */
import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  redirect,
  useMatch,
  type AnyRoute,
} from "@tanstack/react-router";
import { useSyncExternalStore, type ReactElement } from "react";
import { dashboardAddress } from "./api/address.ts";
import { hasCode } from "./api/api-error.ts";
import { readAuditFilters } from "./audit/audit-filters.ts";
import { readReviewsSearch } from "./reviews/reviews-shown.ts";
import { readRunFilters } from "./runs/run-filters.ts";
import { readStartRunSearch } from "./runs/start-run-search.ts";
import { runWithTimeline } from "./runs/use-runs.ts";
import type { Environment } from "./api/models.ts";
import { EnvironmentContext, isEnvironment, lastEnvironment, rememberEnvironment } from "./shell/environment.ts";
import { FailedPage } from "./shell/failed-page.tsx";
import { Frame } from "./shell/frame.tsx";
import { lazyPage } from "./shell/lazy-page.ts";
import { NoAccessPage } from "./shell/no-access-page.tsx";
import { NotFoundPage } from "./shell/not-found-page.tsx";
import { environmentsOf, SessionContext, sessionQuery, useSession, type DashboardSession } from "./shell/session.ts";
import { returnAddress } from "./sign-in/return-address.ts";
import { readSearch, searchReader, textSearch, writeSearch } from "./values/search-params.ts";

interface Context {
  readonly queryClient: QueryClient;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const root = createRootRouteWithContext<Context>()({
  component: Outlet,
});

const readSignInSearch = textSearch("to", "error");

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: readSignInSearch,
  // A person who has signed in, perhaps in another tab, goes on.
  beforeLoad: async ({ context: { queryClient }, search }) => {
    const session = await queryClient.fetchQuery({ ...sessionQuery, retry: false }).catch(() => undefined);
    if (session !== undefined) throw redirect({ href: returnAddress(search.to), replace: true });
  },
  component: lazyPage(() => import("./sign-in/sign-in-page.tsx"), "SignInPage"),
});

const join = (path: "/setup" | "/invitation") =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: lazyPage(async () => {
      const { JoinPage } = await import("./sign-in/join-page.tsx");
      return { Page: () => <JoinPage isSetUp={path === "/setup"} /> };
    }, "Page"),
  });

/** All pages for people who have signed in. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: "signed-in",
  beforeLoad: async ({ context: { queryClient }, location }) => {
    try {
      return { session: await queryClient.ensureQueryData(sessionQuery) };
    } catch (error) {
      if (!hasCode(error, "unauthorized")) throw error;
      throw redirect({ to: "/sign-in", search: location.href === "/" ? {} : { to: `/dashboard${location.href}` } });
    }
  },
  component: SignedIn,
});

function SignedIn() {
  const { session } = signedIn.useRouteContext();
  const queryClient = useQueryClient();
  const isOver = useSyncExternalStore(
    (listener) => queryClient.getQueryCache().subscribe(listener),
    () => queryClient.getQueryData(sessionQuery.queryKey) === undefined,
  );
  // Nothing that was read stays on the screen, also while the sign-in is not loaded yet.
  if (isOver) return null;
  return (
    <SessionContext value={session}>
      <Outlet />
    </SessionContext>
  );
}

const start = createRoute({
  getParentRoute: () => signedIn,
  path: "/",
  beforeLoad: ({ context: { session } }) => {
    throw redirect({ to: "/$environment", params: { environment: usualEnvironment(session) }, replace: true });
  },
});

/** The environment that was open last, or the only one that the person reaches. */
function usualEnvironment(session: DashboardSession): Environment {
  const [last, reached] = [lastEnvironment(), environmentsOf(session)];
  return reached.includes(last) ? last : (reached[0] ?? last);
}

const environment = createRoute({
  getParentRoute: () => signedIn,
  path: "$environment",
  beforeLoad: ({ params }) => {
    if (isEnvironment(params.environment)) rememberEnvironment(params.environment);
  },
  component: InEnvironment,
});

function InEnvironment() {
  const { environment: named } = environment.useParams();
  const session = useSession();
  if (!isEnvironment(named)) {
    return (
      <Frame environment={usualEnvironment(session)}>
        <NotFoundPage />
      </Frame>
    );
  }
  const isReached = environmentsOf(session).includes(named);
  return (
    <EnvironmentContext value={named}>
      <Frame environment={named}>{isReached ? <Outlet /> : <NoAccessPage environment={named} />}</Frame>
    </EnvironmentContext>
  );
}

const home = createRoute({
  getParentRoute: () => environment,
  path: "/",
  component: lazyPage(() => import("./home/home-page.tsx"), "HomePage"),
});

const runs = createRoute({
  getParentRoute: () => environment,
  path: "runs",
  validateSearch: readRunFilters,
  component: lazyPage(() => import("./runs/runs-page.tsx"), "RunsPage"),
});

const run = createRoute({
  getParentRoute: () => environment,
  path: "runs/$runId",
  // The run is read while its page is loaded.
  loader: ({ context: { queryClient }, params: { environment: of, runId } }) => {
    if (isEnvironment(of)) void queryClient.prefetchQuery(runWithTimeline(of, runId));
  },
  component: lazyPage(() => import("./runs/run-page.tsx"), "RunPage"),
});

const runTimeline = createRoute({
  getParentRoute: () => run,
  path: "/",
  validateSearch: textSearch("step"),
  component: lazyPage(() => import("./runs/run-timeline-view.tsx"), "RunTimelineView"),
});

const runFlowchart = createRoute({
  getParentRoute: () => run,
  path: "flowchart",
  component: lazyPage(() => import("./runs/run-flowchart-view.tsx"), "RunFlowchartView"),
});

const runData = createRoute({
  getParentRoute: () => run,
  path: "data",
  component: lazyPage(() => import("./runs/run-data-view.tsx"), "RunDataView"),
});

const runDeliveries = createRoute({
  getParentRoute: () => run,
  path: "deliveries",
  component: lazyPage(() => import("./runs/run-deliveries-view.tsx"), "RunDeliveriesView"),
});

const runRecord = createRoute({
  getParentRoute: () => run,
  path: "record",
  validateSearch: searchReader<{ readonly row?: number }>(["row"], (search) => {
    const row = Number(search["row"]);
    return Number.isSafeInteger(row) && row > 0 ? { row } : {};
  }),
  component: lazyPage(() => import("./runs/run-record-view.tsx"), "RunRecordView"),
});

const startRun = createRoute({
  getParentRoute: () => environment,
  path: "runs/new",
  validateSearch: readStartRunSearch,
  component: lazyPage(() => import("./runs/start-run-page.tsx"), "StartRunPage"),
});

const reviews = createRoute({
  getParentRoute: () => environment,
  path: "reviews",
  validateSearch: readReviewsSearch,
  component: lazyPage(() => import("./reviews/reviews-page.tsx"), "ReviewsPage"),
});

/** The page of reviews shows the list and the review that its address names. */
const noReview = createRoute({ getParentRoute: () => reviews, path: "/" });

const review = createRoute({ getParentRoute: () => reviews, path: "$reviewId" });

const procedures = createRoute({
  getParentRoute: () => environment,
  path: "procedures",
  validateSearch: textSearch("q"),
  component: lazyPage(() => import("./procedures/procedures-page.tsx"), "ProceduresPage"),
});

const procedure = createRoute({
  getParentRoute: () => environment,
  path: "procedures/$procedureId",
  component: lazyPage(() => import("./procedures/procedure-page.tsx"), "ProcedurePage"),
});

const version = createRoute({
  getParentRoute: () => environment,
  path: "procedures/$procedureId/versions/$version",
  component: lazyPage(() => import("./procedures/version-page.tsx"), "VersionPage"),
});

const compare = createRoute({
  getParentRoute: () => environment,
  path: "procedures/$procedureId/compare",
  validateSearch: (search: Record<string, unknown>): { readonly from: string; readonly to: string } => ({
    from: textOf(search["from"]),
    to: textOf(search["to"]),
  }),
  component: lazyPage(() => import("./procedures/compare-page.tsx"), "ComparePage"),
});

/** Pages of the workspace, in the frame of the environment that was open last. */
const workspace = createRoute({
  getParentRoute: () => signedIn,
  id: "workspace",
  component: InWorkspace,
});

function InWorkspace(): ReactElement {
  const session = useSession();
  // A list of one environment's changes is shown in the frame of that environment.
  const audited = useMatch({ from: "/signed-in/workspace/audit", shouldThrow: false });
  const listed = audited && readAuditFilters({ ...audited.search }).environment;
  const isReached = listed === undefined || environmentsOf(session).includes(listed);
  return (
    <Frame environment={listed ?? usualEnvironment(session)}>
      {isReached ? <Outlet /> : <NoAccessPage environment={listed} />}
    </Frame>
  );
}

const account = createRoute({
  getParentRoute: () => workspace,
  path: "/account",
  component: lazyPage(() => import("./account/account-page.tsx"), "AccountPage"),
});

const people = createRoute({
  getParentRoute: () => workspace,
  path: "/people",
  validateSearch: textSearch("edit"),
  component: lazyPage(() => import("./people/people-page.tsx"), "PeoplePage"),
});

const audit = createRoute({
  getParentRoute: () => workspace,
  path: "/audit",
  validateSearch: readAuditFilters,
  component: lazyPage(() => import("./audit/audit-page.tsx"), "AuditPage"),
});

const settings = createRoute({
  getParentRoute: () => workspace,
  path: "/settings",
  component: lazyPage(() => import("./settings/settings-page.tsx"), "SettingsPage"),
});

const tree = root.addChildren([
  signIn,
  join("/setup"),
  join("/invitation"),
  signedIn.addChildren([
    start,
    workspace.addChildren([account, people, audit, settings]),
    environment.addChildren([
      home,
      runs,
      startRun,
      run.addChildren([runTimeline, runFlowchart, runData, runDeliveries, runRecord]),
      procedures,
      procedure,
      version,
      compare,
      reviews.addChildren([noReview, review]),
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
