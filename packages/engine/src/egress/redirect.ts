/** The next hop of a redirect (RFC 9110, 15.4; Fetch Standard, HTTP-redirect fetch). Pure. */

/** The request of one hop. */
export interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

export type NextHop =
  | { readonly kind: "none" }
  /** The destination policy has not checked `hop.url` yet. */
  | { readonly kind: "follow"; readonly hop: Hop }
  | { readonly kind: "refused"; readonly why: string };

const redirects = new Set([301, 302, 303, 307, 308]);
/** The only headers that are sent to another origin. Any other one may be a credential under a custom name. */
const withoutCredentials = new Set(["accept", "accept-encoding", "accept-language", "content-type", "user-agent"]);
const aboutTheBody = /^content-/;

export function nextHop(hop: Hop, status: number, location: string | null): NextHop {
  if (!redirects.has(status) || location === null) return { kind: "none" };
  if (!URL.canParse(location, hop.url)) return { kind: "refused", why: "its Location is not a URL" };
  const url = new URL(location, hop.url);
  if (hop.url.protocol === "https:" && url.protocol !== "https:") {
    return { kind: "refused", why: "it leads from https to an unprotected address" };
  }

  const becomesGet =
    (status === 303 && hop.method !== "GET" && hop.method !== "HEAD") ||
    ((status === 301 || status === 302) && hop.method === "POST");
  const otherOrigin = url.origin !== hop.url.origin;
  if (otherOrigin && !becomesGet && hop.body !== undefined) {
    return { kind: "refused", why: "it would send the request's body to another origin" };
  }
  const headers = Object.fromEntries(
    Object.entries(hop.headers).filter(
      ([name]) => !(becomesGet && aboutTheBody.test(name)) && (!otherOrigin || withoutCredentials.has(name)),
    ),
  );
  return {
    kind: "follow",
    hop: { url, headers, method: becomesGet ? "GET" : hop.method, body: becomesGet ? undefined : hop.body },
  };
}
