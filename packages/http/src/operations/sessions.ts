import {
  changePasswordRequestSchema,
  sessionAnswerSchema,
  sessionListSchema,
  signInMethodsSchema,
  signInRequestSchema,
  successSchema,
  type SessionAnswer,
} from "@procedo/contract";
import { permissionsOf, type Person, type Session } from "@procedo/engine";
import type { BrowserCookie } from "../access/browser-cookie.ts";
import type { About } from "../about.ts";
import { defineGuestOperation, defineSessionOperation, reply } from "../operation.ts";
import { endFormerSession } from "./former-session.ts";
import { named } from "./named.ts";
import { noBody } from "./no-body.ts";
import { noQuery } from "./no-query.ts";
import { personAnswer } from "./people.ts";
import { timestamp } from "./timestamp.ts";

/** Time for a password to be hashed, behind others in the queue. */
export const passwordMs = 6_000;

export const getSignIn = defineGuestOperation({
  id: "getSignIn",
  method: "GET",
  path: "/api/v1/sign-in",
  tag: "Signing in",
  summary: "Get the ways to sign in",
  query: noQuery,
  answers: { 200: { description: "The ways to sign in.", schema: signInMethodsSchema } },
  errors: [],
  handle: async ({ engine, signIn }) => {
    const providers = [...signIn.values()].map(({ id, name }) => ({ kind: "oidc" as const, id, name }));
    return reply(200, { setUp: await engine.people.isSetUp(), methods: [{ kind: "password" }, ...providers] });
  },
});

export const signIn = defineGuestOperation({
  id: "signIn",
  isAttempt: true,
  method: "POST",
  path: "/api/v1/session",
  tag: "Signing in",
  summary: "Sign in",
  description:
    "Begins a session of 7 days, which ends after 12 hours without a request. An unknown address and a wrong password get " +
    "the same answer after the same time. After 5 failures for an e-mail address, each further attempt has to wait; attempts " +
    "in that time are answered with 429.",
  query: noQuery,
  body: { schema: signInRequestSchema },
  answers: {
    201: {
      description: "The session. Its cookie is in `Set-Cookie`, or its token in `token` when it was asked for.",
      schema: sessionAnswerSchema,
    },
  },
  errors: ["unauthorized"],
  handle: async ({ engine, body, address, header, cookie, about, extend, isAwaited }) => {
    extend(passwordMs);
    const { email, password } = body;
    const origin = named({ address, userAgent: header("user-agent") });
    const begun = await engine.sessions.signIn({ email, password, ...origin }, { isAwaited });
    if (body.answerWith === "cookie") await endFormerSession(engine.sessions, cookie, header("cookie"));
    return begunReply(201, begun, about, body.answerWith === "cookie" ? cookie : undefined);
  },
});

export const getSession = defineSessionOperation({
  id: "getSession",
  method: "GET",
  path: "/api/v1/session",
  tag: "Signing in",
  summary: "Get the session of the request",
  query: noQuery,
  answers: { 200: { description: "The session and its person.", schema: sessionAnswerSchema } },
  errors: [],
  handle: async ({ engine, session, about }) =>
    reply(200, sessionAnswer(await engine.people.get({ personId: session.personId }), session, about)),
});

export const endSession = defineSessionOperation({
  id: "endSession",
  method: "DELETE",
  path: "/api/v1/session",
  tag: "Signing in",
  summary: "Sign out",
  description: "Ends the session of the request, and removes its cookie.",
  query: noQuery,
  body: noBody,
  answers: { 200: { description: "The session has ended.", schema: successSchema } },
  errors: [],
  handle: async ({ engine, session, principal, cookie }) => {
    await engine.sessions.end({ personId: session.personId, sessionId: session.sessionId, by: principal });
    return { ...reply(200, { success: true }), headers: cookie.clear() };
  },
});

export const changePassword = defineSessionOperation({
  id: "changePassword",
  method: "PUT",
  path: "/api/v1/session/password",
  tag: "Signing in",
  summary: "Change the password",
  description:
    "Ends all sessions of the person, this one included, and begins a new one. Its token is sent as that of the request was: as " +
    "a cookie, or in `token`.",
  query: noQuery,
  body: { schema: changePasswordRequestSchema },
  answers: { 200: { description: "The new session.", schema: sessionAnswerSchema } },
  errors: ["invalid_input"],
  handle: async ({ engine, session, body, isCookie, cookie, about, extend, isAwaited }) => {
    extend(2 * passwordMs);
    const { personId, sessionId } = session;
    const begun = await engine.sessions.changePassword({ personId, sessionId, ...body }, { isAwaited });
    const person = await engine.people.get({ personId });
    return begunReply(200, { ...begun, person }, about, isCookie ? cookie : undefined);
  },
});

export const listSessions = defineSessionOperation({
  id: "listSessions",
  method: "GET",
  path: "/api/v1/sessions",
  tag: "Signing in",
  summary: "List the own sessions",
  query: noQuery,
  answers: { 200: { description: "The sessions of the person, newest first.", schema: sessionListSchema } },
  errors: [],
  handle: async ({ engine, session: { personId, sessionId } }) => {
    const sessions = await engine.sessions.list({ personId });
    return reply(200, {
      data: sessions.map((one) => ({
        id: one.sessionId,
        isCurrent: one.sessionId === sessionId,
        createdAt: timestamp(one.createdAtMs),
        lastSeenAt: timestamp(one.seenAtMs),
        expiresAt: timestamp(one.expiresAtMs),
        ...named({ userAgent: one.userAgent, address: one.address }),
      })),
    });
  },
});

export const endOtherSessions = defineSessionOperation({
  id: "endOtherSessions",
  method: "DELETE",
  path: "/api/v1/sessions",
  tag: "Signing in",
  summary: "End all other sessions of the person",
  query: noQuery,
  body: noBody,
  answers: { 200: { description: "All sessions but this one have ended.", schema: successSchema } },
  errors: [],
  handle: async ({ engine, session: { personId, sessionId }, principal }) => {
    await engine.sessions.endOthers({ personId, sessionId, by: principal });
    return reply(200, { success: true });
  },
});

export const endOneSession = defineSessionOperation({
  id: "endOneSession",
  method: "DELETE",
  path: "/api/v1/sessions/:id",
  tag: "Signing in",
  summary: "End a session of the person",
  query: noQuery,
  body: noBody,
  answers: { 200: { description: "The session has ended.", schema: successSchema } },
  errors: ["session_not_found"],
  handle: async ({ engine, session: { personId }, principal, params }) => {
    await engine.sessions.end({ personId, sessionId: params.id, by: principal });
    return reply(200, { success: true });
  },
});

interface Begun {
  readonly token: string;
  readonly session: Session;
  readonly person: Person;
}

/** The answer to the begin of a session: its token is in the cookie, or, without one, in the body. */
function begunReply<const Status extends number>(
  status: Status,
  { token, session, person }: Begun,
  about: About,
  cookie: BrowserCookie | undefined,
) {
  const answer = sessionAnswer(person, session, about);
  if (cookie === undefined) return reply(status, { ...answer, token });
  return { ...reply(status, answer), headers: cookie.set(token, session.expiresAtMs - session.createdAtMs) };
}

function sessionAnswer(
  person: Person,
  { sessionId, expiresAtMs }: Pick<Session, "sessionId" | "expiresAtMs">,
  { version, models, timeZone }: About,
): SessionAnswer {
  return {
    person: personAnswer(person),
    permissions: { sandbox: [...permissionsOf(person.access.sandbox)], live: [...permissionsOf(person.access.live)] },
    session: { id: sessionId, expiresAt: timestamp(expiresAtMs) },
    service: { version, models: [...models], timeZone },
  };
}
