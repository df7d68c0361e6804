import { ProcedoError } from "@procedo/contract";
import { errorAnswer } from "./request/answer.ts";
import type { HttpAnswer, HttpRequest } from "./request/http-request.ts";
import { isUnder } from "./request/router.ts";

/** Static files for browsers, such as `dashboardSite()` of `@procedo/dashboard`. */
export interface Site {
  /** Answers a GET request, at once. */
  answer(request: SiteRequest): SiteAnswer;
}

/** A request for a file of a site. */
export interface SiteRequest {
  /** The path below the site's address, such as `/live/runs`; "" for the address itself. */
  readonly path: string;
  /** The address of the site: the base path and `/dashboard`. */
  readonly address: string;
  /** The request's `Accept-Encoding`. */
  readonly acceptEncoding: string | undefined;
  /** The request's `If-None-Match`. */
  readonly ifNoneMatch: string | undefined;
}

/** The answer of a site. */
export interface SiteAnswer {
  /** HTTP status. */
  readonly status: number;
  /** Headers by name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The file; empty for a status without a body. */
  readonly body: Uint8Array<ArrayBuffer>;
}

/** The site under its address. */
export interface MountedSite {
  serves(path: string): boolean;
  answer(request: HttpRequest, requestId: string): HttpAnswer;
}

/** Mounts a site at `/dashboard` below the base path. */
export function mountSite(site: Site, basePath: string): MountedSite {
  const address = `${basePath}/dashboard`;
  return {
    serves: (path) => path === address || isUnder(address, path),
    answer: (request, requestId) => {
      if (request.method !== "GET" && request.method !== "HEAD") {
        const message = "The dashboard's files are only read. Use GET.";
        const refused = errorAnswer(new ProcedoError("malformed_request", message), requestId, 405);
        return { ...refused, headers: [...refused.headers, "Allow", "GET, HEAD"] };
      }
      const { status, headers, body } = site.answer({
        path: request.path.slice(address.length),
        address,
        acceptEncoding: request.header("accept-encoding"),
        ifNoneMatch: request.header("if-none-match"),
      });
      return { status, headers: [...Object.entries(headers).flat(), "X-Request-Id", requestId], body };
    },
  };
}
