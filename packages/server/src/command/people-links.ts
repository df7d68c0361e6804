import type { Addresses } from "../settings/addresses.ts";

/** The link of an invitation. The token is in the fragment, which browsers do not send. */
export function invitationLink({ appUrl }: Pick<Addresses, "appUrl">, token: string): string {
  return `${appUrl}/dashboard/invitation#${token}`;
}

/** The link by which the first owner creates their account. */
export function setUpLink({ appUrl }: Pick<Addresses, "appUrl">, token: string): string {
  return `${appUrl}/dashboard/setup#${token}`;
}
