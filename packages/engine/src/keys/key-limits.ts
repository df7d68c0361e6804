import type { Environment } from "@procedo/contract";
import { permissionsOf, rolesIn } from "../people/access-roles.ts";
import type { Joined } from "../people/person-record.ts";
import { deciderOf, type ApiKey, type KeyBody } from "./key-record.ts";

/**
 * The permissions and roles with which a key acts: its own, as far as the person has them now in its environment. A key
 * of a name that is no person of the service keeps its own.
 *
 * @returns `undefined` when the key is refused, because its person is not active or has no access to the environment
 */
export function limitedKey(
  key: Pick<KeyBody, "person" | "permissions" | "roles">,
  environment: Environment,
  person: Joined | undefined,
): Pick<ApiKey, "person" | "permissions" | "roles"> | undefined {
  if (person === undefined) return { ...deciderOf(key), permissions: key.permissions };
  if (!person.isActive || person.access[environment].length === 0) return undefined;
  const may = new Set<string>(permissionsOf(person.access[environment]));
  const held = new Set(rolesIn(person, environment));
  const permissions = key.permissions.filter((permission) => may.has(permission));
  const { person: name, roles } = deciderOf({ ...key, permissions });
  return { person: name, permissions, roles: roles.filter((role) => held.has(role)) };
}
