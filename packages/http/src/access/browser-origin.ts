import { ProcedoError } from "@procedo/contract";
import type { HttpRequest } from "../request/http-request.ts";

/**
 * Refuses a request that a browser sent for a foreign page. Browsers attach cookies to the requests of any page, and
 * tell the page's origin in headers that no page can set.
 */
export interface BrowserOrigin {
  /**
   * Checks a request that was sent with a cookie. A request that only reads passes.
   *
   * @throws ProcedoError `permission_denied`
   */
  check(request: HttpRequest): void;
  /**
   * Checks a request without credentials, which a program may send without naming an origin. Without this check, a
   * foreign page could sign its visitor in as another person.
   *
   * @throws ProcedoError `permission_denied`
   */
  checkIfNamed(request: HttpRequest): void;
}

/** @param appUrl - base address of the application, as browsers reach it */
export function createBrowserOrigin(appUrl: string): BrowserOrigin {
  const { origin } = new URL(appUrl);
  const check = (request: HttpRequest): void => {
    if (request.method === "GET" || request.method === "HEAD") return;
    if (request.header("sec-fetch-site") === "same-origin" || request.header("origin") === origin) return;
    throw new ProcedoError(
      "permission_denied",
      `A browser may send this request only for a page of ${origin}. A program sends its key or token as ` +
        "Authorization: Bearer <TOKEN>, without cookies.",
    );
  };
  return {
    check,
    checkIfNamed: (request) => {
      if (request.header("sec-fetch-site") === undefined && request.header("origin") === undefined) return;
      check(request);
    },
  };
}
