import type { QueryClient } from "@tanstack/react-query";
import type { AnyRouter } from "@tanstack/react-router";
import { sessionQuery } from "./session.ts";

const guestPages = ["/sign-in", "/setup", "/invitation"];

/** Goes to the sign-in, which returns to the present page, and forgets all that was read. */
export async function goToSignIn(router: AnyRouter, queryClient: QueryClient): Promise<void> {
  const { pathname, href } = router.latestLocation;
  if (guestPages.some((page) => pathname === page)) return;
  queryClient.removeQueries({ queryKey: sessionQuery.queryKey });
  await router.navigate({ to: "/sign-in", search: { to: `/dashboard${href}` }, replace: true });
  queryClient.clear();
}
