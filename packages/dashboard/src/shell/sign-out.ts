import type { QueryClient } from "@tanstack/react-query";
import type { AnyRouter } from "@tanstack/react-router";

const guestPages = ["/sign-in", "/setup", "/invitation"];

/** Forgets all that was read, which takes it off the screen, and goes to the sign-in. No question delays it. */
export async function leaveSession(router: AnyRouter, queryClient: QueryClient): Promise<void> {
  queryClient.clear();
  await router.navigate({ to: "/sign-in", ignoreBlocker: true });
}

/** Does the same for a session that has ended. The sign-in returns to the present page. */
export async function goToSignIn(router: AnyRouter, queryClient: QueryClient): Promise<void> {
  const { pathname, href } = router.latestLocation;
  if (guestPages.some((page) => pathname === page)) return;
  queryClient.clear();
  const search = { to: `/dashboard${href}` };
  await router.navigate({ to: "/sign-in", search, replace: true, ignoreBlocker: true });
}
