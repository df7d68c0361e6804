import {
  emailProblem,
  nameProblem,
  ProcedoError,
  signInErrors,
  type ErrorCode,
  type SignInError,
} from "@procedo/contract";
import type { Engine, ShownOnce, SignedIn, SignInOrigin } from "@procedo/engine";
import * as z from "zod";
import type { GuestCall } from "../guest-call.ts";
import { defineGuestOperation, nothing } from "../operation.ts";
import type { SignInAccount, SignInFailure, SignInProvider } from "../sign-in-provider.ts";
import { named } from "./named.ts";

const home = "/dashboard";
/** Lifetime of a sign-in's cookie. */
const cookieMs = 600_000;
/** Time for the requests to the provider, beside that of the service itself. */
const providerMs = 25_000;
const maxStateLength = 2_000;

/**
 * Whether a browser that follows the path stays under the dashboard. A browser changes backslashes, line ends and dot
 * segments, so that only a path is accepted that it leaves as it is.
 */
function isUnderHome(path: string): boolean {
  const origin = "http://app.invalid";
  const url = path.startsWith("/") && URL.canParse(path, origin) ? new URL(path, origin) : undefined;
  if (url === undefined || url.href !== origin + path || url.pathname.includes("//")) return false;
  return url.pathname === home || url.pathname.startsWith(`${home}/`);
}

/** The page of sign-ins with the reason of a failure, and with the path to return to, which is {@link home} otherwise. */
function signInPage(error: SignInError, to = home): string {
  return `${home}/sign-in?error=${error}${to === home ? "" : `&to=${encodeURIComponent(to)}`}`;
}

/** The page for a failure of the request itself, before or beside the provider. */
function failurePage(code: ErrorCode, query: string): string | undefined {
  // A link to a provider that the service does not have.
  if (code === "not_found") return undefined;
  const to = new URLSearchParams(query).getAll("to");
  const isRefused = ["malformed_request", "unknown_field", "permission_denied"].includes(code);
  return signInPage(isRefused ? "refused" : "unavailable", to.length === 1 ? returnPath.parse(to[0]) : home);
}

const returnPath = z
  .string()
  .max(1_000)
  .regex(/^\/dashboard(?:[/?#]|$)/)
  .refine(isUnderHome)
  .default(home)
  // A page that a browser shows is no place for an error of the interface.
  .catch(home)
  .meta({
    description:
      "Where the browser goes after the sign-in: a path under `/dashboard`. Any other path is replaced by the default.",
  });

export const startOidc = defineGuestOperation({
  id: "startOidc",
  isAttempt: true,
  failurePage,
  method: "GET",
  path: "/api/v1/session/oidc/:id/start",
  tag: "Signing in",
  summary: "Begin a sign-in at an identity provider",
  description:
    "For browsers: redirects to the provider, one of those that `GET sign-in` names, and sets a cookie of 10 minutes. If the " +
    "provider cannot be reached, redirects to `/dashboard/sign-in?error=unavailable`, as for any other failure, with the path " +
    "to return to in `to`.",
  query: z.strictObject({ to: returnPath }),
  answers: { 302: { description: "To the provider.", schema: nothing } },
  errors: ["not_found"],
  handle: async (call) => {
    const { address, appUrl, extend, query, signInCookie } = call;
    const provider = providerOf(call);
    extend(providerMs);
    const started = await provider.start({ redirectUri: redirectUri(appUrl, provider), returnTo: query.to, address });
    if (started.kind === "failed") return failed(call, provider, started, query.to);
    if (started.state.length > maxStateLength || !/^[\w.-]+$/.test(started.state)) {
      throw new Error(`The state of the identity provider "${provider.id}" does not fit into a cookie.`);
    }
    return redirect(started.url, signInCookie.set(started.state, cookieMs));
  },
});

export const finishOidc = defineGuestOperation({
  id: "finishOidc",
  isAttempt: true,
  failurePage,
  method: "GET",
  path: "/api/v1/session/oidc/:id/callback",
  tag: "Signing in",
  summary: "Finish a sign-in at an identity provider",
  description:
    "The redirect URI of the provider's client. Begins a session in a cookie and redirects to the path of the start. The person is " +
    "found by the account. For an unknown account, the open invitation of its verified e-mail address is accepted. " +
    `After a failure it redirects to \`/dashboard/sign-in?error=\` with one of ${signInErrors.map((error) => `\`${error}\``).join(", ")}.`,
  // Providers add parameters of their own.
  query: z.looseObject({
    code: z.string().optional().meta({ description: "The provider's code." }),
    state: z.string().optional().meta({ description: "The state of the sign-in." }),
    iss: z.string().optional().meta({ description: "The provider's issuer." }),
    error: z.string().optional().meta({ description: "The provider's refusal." }),
  }),
  answers: { 302: { description: "To the dashboard.", schema: nothing } },
  errors: ["not_found"],
  handle: async (call) => {
    const { engine, address, appUrl, cookie, extend, header, isAwaited, query, signInCookie } = call;
    const provider = providerOf(call);
    const state = signInCookie.read(header("cookie"));
    if (state === undefined) {
      return failed(call, provider, { error: "expired", reason: "The browser sent no cookie of a sign-in." });
    }
    extend(providerMs);
    const parameters = new URLSearchParams(query as Record<string, string>).toString();
    const account = await provider.finish({ url: `${redirectUri(appUrl, provider)}?${parameters}`, state, address });
    if (account.kind === "failed") return failed(call, provider, account);
    const origin = named({ address, userAgent: header("user-agent") });
    const entered = await enter(engine, provider, account, { origin, answer: { isAwaited } });
    const to = isUnderHome(account.returnTo) ? account.returnTo : home;
    if ("error" in entered) return failed(call, provider, entered, to);
    const { token, session } = entered;
    const cookies = [...signInCookie.clear(), ...cookie.set(token, session.expiresAtMs - session.createdAtMs)];
    return redirect(appUrl + to, cookies);
  },
});

type Failed = Pick<SignInFailure, "error" | "reason">;

/** Begins the session of the account's person. Only a person who is known by the account needs no verified address. */
async function enter(
  engine: Engine,
  { creates }: SignInProvider,
  { issuer, subject, email, name }: SignInAccount,
  { origin, answer }: { readonly origin: SignInOrigin; readonly answer: ShownOnce },
): Promise<SignedIn | Failed> {
  const identity = { issuer, subject };
  try {
    const known = await unless(["unauthorized"], () => engine.sessions.signInAs({ identity, ...origin }, answer));
    if (known !== undefined) return known;
    if (email === undefined || emailProblem(email) !== undefined) {
      return { error: "email_unverified", reason: "The provider states no verified e-mail address of the account." };
    }
    const joined = await unless(["invitation_not_found", "email_taken"], () =>
      engine.people.joinVerified({ identity, email, name: nameOf(name, email), ...named({ otherwise: creates }) }),
    );
    if (joined === undefined) {
      return { error: "not_invited", reason: "No open invitation has the verified e-mail address of the account." };
    }
    return await engine.sessions.signInAs({ personId: joined.personId, ...origin }, answer);
  } catch (error) {
    if (!ProcedoError.isError(error) || error.code === "internal") throw error;
    return { error: "unavailable", reason: `The session could not begin: ${error.code}.` };
  }
}

/** The result; `undefined` for an error with one of the codes. */
async function unless<T>(codes: readonly string[], attempt: () => Promise<T>): Promise<T | undefined> {
  try {
    return await attempt();
  } catch (error) {
    if (ProcedoError.isError(error) && codes.includes(error.code)) return undefined;
    throw error;
  }
}

function nameOf(name: string | undefined, email: string): string {
  return name !== undefined && name.length <= 200 && nameProblem(name) === undefined ? name : email;
}

function providerOf({ params, signIn }: Pick<GuestCall<{ readonly id: string }>, "params" | "signIn">): SignInProvider {
  const provider = signIn.get(params.id);
  if (provider !== undefined) return provider;
  const message = "The service has no identity provider with this id. GET /api/v1/sign-in lists them.";
  throw new ProcedoError("not_found", message);
}

function redirectUri(appUrl: string, { id }: SignInProvider): string {
  return `${appUrl}/api/v1/session/oidc/${id}/callback`;
}

/** Sends the browser to the page of sign-ins with the reason. The provider's own text is neither shown nor logged. */
function failed(
  { appUrl, noteFailure, signInCookie }: Pick<GuestCall, "appUrl" | "noteFailure" | "signInCookie">,
  { id }: SignInProvider,
  { error, reason }: Failed,
  to?: string,
) {
  noteFailure("A sign-in by an identity provider failed.", { provider: id, error, reason });
  return redirect(appUrl + signInPage(error, to), signInCookie.clear());
}

function redirect(location: string, cookies: readonly string[]) {
  return { status: 302, body: undefined, headers: ["Location", location, ...cookies] } as const;
}
