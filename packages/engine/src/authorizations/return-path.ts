import { ProcedoError } from "@procedo/contract";

/**
 * Checks that a browser which follows a path stays at the application. Browsers change backslashes, line ends and dot
 * segments, so that only a path is accepted that they leave as it is.
 *
 * @throws ProcedoError `invalid_input`
 */
export function checkReturnPath(path: string): void {
  const origin = "http://app.invalid";
  const url = path.startsWith("/") && URL.canParse(path, origin) ? new URL(path, origin) : undefined;
  if (url !== undefined && path.length <= 1_000 && url.href === origin + path && !url.pathname.includes("//")) return;
  const message = "must be a path of the application, such as /dashboard, of at most 1000 characters";
  throw new ProcedoError("invalid_input", `The field returnTo ${message}.`, {
    details: [{ path: "/returnTo", message }],
  });
}
