import { useEnvironment } from "../shell/environment.ts";
import { hasAbility, useSession } from "../shell/session.ts";

/** What the person may do with the triggers of the environment. */
export interface TriggerAbilities {
  /** Test, pause, resume, and replace secrets. */
  readonly mayManage: boolean;
  /** Fire by hand, and fire again. */
  readonly mayRun: boolean;
  /** Create, edit, delete and backfill: the runs of a trigger start for the person who changed it last. */
  readonly mayChange: boolean;
}

export function useAbilities(): TriggerAbilities {
  const environment = useEnvironment();
  const session = useSession();
  const mayManage = hasAbility(session, environment, "manage");
  const mayRun = hasAbility(session, environment, "run");
  return { mayManage, mayRun, mayChange: mayManage && mayRun };
}
