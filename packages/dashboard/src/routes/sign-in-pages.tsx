/* Pages of people who have not signed in, and the address that leads to the environment used last. */
import { createRoute, redirect } from "@tanstack/react-router";
import { lazyPage } from "../shell/lazy-page.ts";
import { sessionQuery } from "../shell/session.ts";
import { usualEnvironment } from "../shell/usual-environment.ts";
import { returnAddress } from "../sign-in/return-address.ts";
import { textSearch } from "../values/search-params.ts";
import { root, signedIn } from "./frames.tsx";

const readSignInSearch = textSearch("to", "error");

export const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: readSignInSearch,
  // A person who has signed in, perhaps in another tab, goes on.
  beforeLoad: async ({ context: { queryClient }, search }) => {
    const session = await queryClient.fetchQuery({ ...sessionQuery, retry: false }).catch(() => undefined);
    if (session !== undefined) throw redirect({ href: returnAddress(search.to), replace: true });
  },
  component: lazyPage(() => import("../sign-in/sign-in-page.tsx"), "SignInPage"),
});

export const join = (path: "/setup" | "/invitation") =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: lazyPage(async () => {
      const { JoinPage } = await import("../sign-in/join-page.tsx");
      return { Page: () => <JoinPage isSetUp={path === "/setup"} /> };
    }, "Page"),
  });

export const start = createRoute({
  getParentRoute: () => signedIn,
  path: "/",
  beforeLoad: ({ context: { session } }) => {
    throw redirect({ to: "/$environment", params: { environment: usualEnvironment(session) }, replace: true });
  },
});
