import { queryOptions } from "@tanstack/react-query";
import { createContext, use } from "react";
import { answerOf, api } from "../api/client.ts";
import { sessionOf, type DashboardSession } from "./abilities.ts";

export {
  environmentsOf,
  hasAbility,
  isAdministrator,
  sessionOf,
  type Ability,
  type DashboardSession,
} from "./abilities.ts";

export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async () => sessionOf(await answerOf(api.GET("/api/v1/session"))),
  staleTime: Number.POSITIVE_INFINITY,
  // Without it the pages of the session disappear.
  gcTime: Number.POSITIVE_INFINITY,
});

export const SessionContext = createContext<DashboardSession | undefined>(undefined);

/** The session of the signed-in person. */
export function useSession(): DashboardSession {
  const session = use(SessionContext);
  if (session === undefined) throw new Error("The page is shown to signed-in people only.");
  return session;
}
