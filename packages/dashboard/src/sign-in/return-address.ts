/**
 * The path below the dashboard to which a sign-in returns: that of the given address, such as `/dashboard/live/runs`, if
 * it lies under `/dashboard`, otherwise the beginning. Nothing else is accepted, so that no link leads through the sign-in
 * to another site.
 */
export function returnAddress(to: string | undefined): string {
  if (to === undefined || !/^\/dashboard(?:[/?#]|$)[\x21-\x5b\x5d-\x7e]*$/.test(to)) return "/";
  const base = "https://dashboard.invalid";
  const { origin, pathname, search, hash } = new URL(to, base);
  if (origin !== base || !/^\/dashboard(?:\/(?!\/)|$)/.test(pathname)) return "/";
  return `${pathname.slice("/dashboard".length) || "/"}${search}${hash}`;
}
