import type { Environment } from "../api/models.ts";
import { environmentsOf, type DashboardSession } from "./abilities.ts";
import { lastEnvironment } from "./environment.ts";

/** The environment that was open last, or the only one that the person reaches. */
export function usualEnvironment(session: DashboardSession): Environment {
  const [last, reached] = [lastEnvironment(), environmentsOf(session)];
  return reached.includes(last) ? last : (reached[0] ?? last);
}
