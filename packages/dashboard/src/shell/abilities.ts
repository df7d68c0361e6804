/* The abilities of a person, as the service states them. */
import type { Access, Environment, PrincipalAnswer, SessionAnswer } from "../api/models.ts";

/** What a person does on a page that not everyone may do. */
export type Ability = SessionAnswer["permissions"]["live"][number];

/** The signed-in person, and what they may do. */
export interface DashboardSession {
  readonly person: {
    readonly id: string;
    readonly email: string;
    readonly name: string;
    readonly groups: readonly string[];
  };
  /** The roles of the person; `undefined` if an application that embeds the service signs people in. */
  readonly access: Access | undefined;
  /** `undefined`: the person does not reach the environment. */
  readonly permissions: Readonly<Record<Environment, readonly Ability[] | undefined>>;
  readonly service: SessionAnswer["service"];
}

/** The session in an answer of the service, or of an application that embeds it and signs people in itself. */
export function sessionOf(answer: SessionAnswer | PrincipalAnswer): DashboardSession {
  const { service } = answer;
  if ("person" in answer) {
    const { person, permissions } = answer;
    const { access } = person;
    const reached = (environment: Environment): readonly Ability[] | undefined =>
      access[environment].length > 0 ? permissions[environment] : undefined;
    return { person, access, permissions: { sandbox: reached("sandbox"), live: reached("live") }, service };
  }
  const { principal } = answer;
  const reached = (environment: Environment): readonly Ability[] | undefined =>
    principal.environment === undefined || principal.environment === environment ? principal.permissions : undefined;
  return {
    person: { id: principal.person, email: principal.person, name: principal.person, groups: principal.roles },
    access: undefined,
    permissions: { sandbox: reached("sandbox"), live: reached("live") },
    service,
  };
}

/** Whether the person has a permission in an environment. The service checks it again. */
export function hasAbility({ permissions }: DashboardSession, environment: Environment, ability: Ability): boolean {
  return permissions[environment]?.includes(ability) === true;
}

/** Whether the person administers the workspace: owners of both environments do. */
export function isAdministrator(session: DashboardSession): boolean {
  const isOwner = (environment: Environment): boolean => hasAbility(session, environment, "administer");
  return session.access !== undefined && isOwner("sandbox") && isOwner("live");
}

/** The environments that a person may see, sandbox first. */
export function environmentsOf({ permissions }: DashboardSession): readonly Environment[] {
  return (["sandbox", "live"] as const).filter((environment) => permissions[environment] !== undefined);
}
