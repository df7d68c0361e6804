import type { AccessRole, Environment, PersonPermission } from "@procedo/contract";

/** Roles of a person in each environment. A person without a role in an environment cannot access it. */
export interface Access {
  /** Roles in sandbox. */
  readonly sandbox: readonly AccessRole[];
  /** Roles in live. */
  readonly live: readonly AccessRole[];
}

/** Roles to give in one environment or both. */
export interface AccessChanges {
  /** Roles in sandbox. @defaultValue the present ones; none for an invitation */
  readonly sandbox?: readonly AccessRole[];
  /** Roles in live. @defaultValue the present ones; none for an invitation */
  readonly live?: readonly AccessRole[];
}

const permissionsOfRole: Readonly<Record<AccessRole, readonly PersonPermission[]>> = {
  viewer: [],
  reviewer: ["review"],
  builder: ["run", "manage"],
  owner: ["run", "manage", "administer"],
};

/** The permissions that the roles of one environment give. */
export function permissionsOf(roles: readonly AccessRole[]): readonly PersonPermission[] {
  return [...new Set(roles.flatMap((role) => permissionsOfRole[role]))];
}

/** The access for an entry of the chain. */
export function accessFact({ sandbox, live }: Access): { readonly sandbox: AccessRole[]; readonly live: AccessRole[] } {
  return { sandbox: [...sandbox], live: [...live] };
}

/** Whether this access administers the workspace: an owner of both environments does. */
export function administersAll({ sandbox, live }: Access): boolean {
  return sandbox.includes("owner") && live.includes("owner");
}

/** The roles in which a person decides reviews of an environment. */
export function rolesIn(
  { access, groups }: { readonly access: Access; readonly groups: readonly string[] },
  environment: Environment,
): readonly string[] {
  return [...access[environment], ...groups];
}
