import { queryOptions } from "@tanstack/react-query";
import { createContext, use } from "react";
import { answerOf, api } from "../api/client.ts";
import type { AccessRole, Environment, SessionAnswer } from "../api/models.ts";

export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: () => answerOf(api.GET("/api/v1/session")),
  staleTime: Number.POSITIVE_INFINITY,
});

export const SessionContext = createContext<SessionAnswer | undefined>(undefined);

/** The session of the signed-in person. */
export function useSession(): SessionAnswer {
  const session = use(SessionContext);
  if (session === undefined) throw new Error("The page is shown to signed-in people only.");
  return session;
}

/** What a person does on a page that not everyone may do. */
export type Ability = "run" | "manage" | "review" | "administer";

const abilitiesOf: Readonly<Record<AccessRole, readonly Ability[]>> = {
  viewer: [],
  reviewer: ["review"],
  builder: ["run", "manage"],
  owner: ["run", "manage", "administer"],
};

/** Whether the roles of a person in an environment include an ability. The service checks it again. */
export function hasAbility({ person }: SessionAnswer, environment: Environment, ability: Ability): boolean {
  return person.access[environment].some((role) => abilitiesOf[role].includes(ability));
}

/** Whether the person administers the workspace: owners of both environments do. */
export function isAdministrator(session: SessionAnswer): boolean {
  return hasAbility(session, "sandbox", "administer") && hasAbility(session, "live", "administer");
}

/** The environments that a person may see, sandbox first. */
export function environmentsOf({ person: { access } }: SessionAnswer): readonly Environment[] {
  return (["sandbox", "live"] as const).filter((environment) => access[environment].length > 0);
}
