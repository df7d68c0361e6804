/* The roles of people in words. */
import type { AccessRole } from "../api/models.ts";

export const roleNames: Readonly<Record<AccessRole, string>> = {
  viewer: "Viewer",
  reviewer: "Reviewer",
  builder: "Builder",
  owner: "Owner",
};

const order = Object.keys(roleNames) as readonly AccessRole[];

/** Roles, always in the same order. */
export function rolesText(roles: readonly AccessRole[]): string {
  const names = order.filter((role) => roles.includes(role)).map((role) => roleNames[role]);
  return names.length === 0 ? "No access" : names.join(", ");
}
