import * as z from "zod";
import { createAuthorizationCookie } from "../access/browser-cookie.ts";
import { authorizationUrls } from "../authorization-urls.ts";
import { definePageOperation, nothing, type AnswerSpec } from "../operation.ts";
import { htmlPage } from "../request/html-page.ts";
import { noQuery } from "./no-query.ts";

/** How long a person has to authorize the connection. */
const cookieMs = 600_000;
const failureTitle = "Authorization failed";
const page = (description: string): AnswerSpec => ({ description, schema: z.string(), media: "text/html" });

export const openAuthorization = definePageOperation({
  id: "openAuthorization",
  path: "/oauth/start/:ticket",
  tag: "Connections",
  summary: "Open the authorization of a connection",
  description:
    "For browsers: the page of `POST connections/:connectionId/oauth/start`. Redirects to the service, and sets a cookie of 10 " +
    "minutes. An error is a page.",
  query: noQuery,
  failureTitle,
  answers: { 302: { description: "To the authorization server.", schema: nothing } },
  errors: ["oauth_ticket_used", "connection_not_found", "not_oauth", "invalid_configuration"],
  handle: async ({ engine, params, appUrl }) => {
    const redirectUri = authorizationUrls(appUrl).callback;
    const { url, browser } = await engine.authorizations.open({ ticket: params.ticket, redirectUri });
    const cookie = createAuthorizationCookie(appUrl, new URL(url).searchParams.get("state") ?? "");
    return redirect(url, cookie.set(browser, cookieMs));
  },
});

export const finishAuthorization = definePageOperation({
  id: "finishAuthorization",
  path: "/oauth/callback",
  tag: "Connections",
  summary: "Finish the authorization of a connection",
  description:
    "For browsers: the redirect URI of OAuth clients. Stores the tokens, and redirects to `returnTo` of the start, or answers a " +
    "page. Runs that wait for the connection go on. An error is a page.",
  query: z.object({
    code: z.string().optional().meta({ description: "The server's code." }),
    state: z.string().optional().meta({ description: "The state of the authorization." }),
    iss: z.string().optional().meta({ description: "The server's issuer." }),
    error: z.string().optional().meta({ description: "The server's refusal." }),
  }),
  failureTitle,
  answers: {
    200: page("The connection is authorized."),
    302: { description: "To the path of the start.", schema: nothing },
  },
  errors: [
    "malformed_request",
    "oauth_state_invalid",
    "oauth_denied",
    "connection_not_found",
    "not_oauth",
    "account_mismatch",
    "credentials_of_other_environment",
    "revision_conflict",
    "oauth_failed",
  ],
  handle: async ({ engine, query, header, appUrl, outside }) => {
    const cookie = createAuthorizationCookie(appUrl, query.get("state") ?? "");
    const redirected = { parameters: query, browser: cookie.read(header("cookie")) };
    const { name, account, returnTo } = await engine.authorizations.finish(redirected, { outside });
    if (returnTo !== undefined) return redirect(appUrl + returnTo, cookie.clear());
    const ofAccount = account === undefined ? "" : ` with the account “${account.name}”`;
    const text = `The connection “${name}” is authorized${ofAccount}. You can close this page.`;
    const { headers, ...shown } = htmlPage({ title: "Connection authorized", text });
    return { status: 200, ...shown, headers: [...headers, ...cookie.clear()] };
  },
});

function redirect(location: string, cookies: readonly string[]) {
  return {
    status: 302,
    body: undefined,
    headers: ["Location", location, "Referrer-Policy", "no-referrer", ...cookies],
  };
}
