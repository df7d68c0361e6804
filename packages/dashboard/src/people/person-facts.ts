/* The access of people in words. */
import type { AccessRole } from "../api/models.ts";

export const roleNames: Readonly<Record<AccessRole, string>> = {
  viewer: "Viewer",
  reviewer: "Reviewer",
  builder: "Builder",
  owner: "Owner",
};

const order = Object.keys(roleNames) as readonly AccessRole[];

/** Roles in a fixed order, whatever the order in which they were given. */
export function rolesText(roles: readonly AccessRole[]): string {
  const names = order.filter((role) => roles.includes(role)).map((role) => roleNames[role]);
  return names.length === 0 ? "No access" : names.join(", ");
}

/** Groups from a text with commas between them, each once. */
export function groupsOf(text: string): string[] {
  const groups = text.split(",").map((group) => group.trim());
  return [...new Set(groups.filter((group) => group !== ""))];
}

/** Whether two lists have the same members. */
export function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one) => b.includes(one));
}
