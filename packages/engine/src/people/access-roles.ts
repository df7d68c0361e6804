import type { Access, AccessRole, Environment, PersonPermission } from "@procedo/contract";

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
