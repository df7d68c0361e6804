import type { ApiKey } from "./use-api-keys.ts";

export type Permission = ApiKey["permissions"][number];

/** The permissions of keys beside reading, in the order of the form. */
export const permissionWords: Readonly<Record<Permission, { readonly name: string; readonly hint: string }>> = {
  run: { name: "Run", hint: "Starts and cancels runs." },
  manage: { name: "Manage", hint: "Publishes procedures, and changes connections, webhooks, triggers and API keys." },
  review: { name: "Review", hint: "Decides reviews." },
};

export const allPermissions = Object.keys(permissionWords) as readonly Permission[];

/** Permissions in words, always in the same order. */
export function permissionsText(permissions: readonly Permission[]): string {
  const names = allPermissions.filter((one) => permissions.includes(one)).map((one) => permissionWords[one].name);
  return names.length === 0 ? "Read only" : names.join(", ");
}
