/* What every page stands in: the sign-in that it asks for, and the frame of its environment or of the workspace. */
import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, Outlet, redirect, useMatch } from "@tanstack/react-router";
import { useSyncExternalStore, type ReactElement } from "react";
import { hasCode } from "../api/api-error.ts";
import { readAuditFilters } from "../audit/audit-filters.ts";
import { EnvironmentContext, isEnvironment, rememberEnvironment } from "../shell/environment.ts";
import { Frame } from "../shell/frame.tsx";
import { NoAccessPage } from "../shell/no-access-page.tsx";
import { NotFoundPage } from "../shell/not-found-page.tsx";
import { environmentsOf, SessionContext, sessionQuery, useSession } from "../shell/session.ts";
import { usualEnvironment } from "../shell/usual-environment.ts";

export interface Context {
  readonly queryClient: QueryClient;
}

export const root = createRootRouteWithContext<Context>()({
  component: Outlet,
});

/** All pages for people who have signed in. */
export const signedIn = createRoute({
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

export const environment = createRoute({
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

/** Pages of the workspace, in the frame of the environment that was open last. */
export const workspace = createRoute({
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
