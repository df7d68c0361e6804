/**
 * The address of the dashboard to which a sign-in returns: the given one if it is a path of the dashboard, otherwise
 * its beginning. Nothing else is accepted, so that no link leads through the sign-in to another site.
 */
export function returnAddress(to: string | undefined): string {
  if (to === undefined || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(to)) return "/";
  return to;
}
