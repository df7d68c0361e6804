import type { CurlAnswer, CurlRequest } from "./curl.ts";

export interface PeopleRequests {
  /** Invites an owner by the `procedo` command. Returns the token of the link. */
  readonly inviteOwner: (email: string) => Promise<string>;
  /** A run that waits for a review. */
  readonly runInReview: string;
  /** An API key, which is refused where a person is needed. */
  readonly key: string;
  /** Base address of the application. */
  readonly appUrl: string;
}

const password = "seventeen green barges";

/** From the first owner's invitation to the end of a person's access, with each refusal. */
export async function callPeople(
  expect: (status: number, request: CurlRequest) => Promise<CurlAnswer>,
  { inviteOwner, runInReview, key, appUrl }: PeopleRequests,
): Promise<void> {
  await expect(200, { path: "/api/v1/sign-in" });
  const owner = await inviteOwner("olga@example.com");
  await expect(200, { path: "/api/v1/invitations/look-up", body: { token: owner } });
  const joining = { token: owner, name: "Olga", password };
  await expect(422, { path: "/api/v1/invitations/accept", body: { ...joining, password: "short" } });
  await expect(422, { path: "/api/v1/invitations/accept", body: { ...joining, email: "ben@example.com" } });
  await expect(201, { path: "/api/v1/invitations/accept", body: joining });
  await expect(404, { path: "/api/v1/invitations/accept", body: joining });

  const signIn = { path: "/api/v1/session", body: { email: "Olga@example.com", password, answerWith: "token" } };
  await expect(401, { ...signIn, body: { ...signIn.body, password: "another password" } });
  await expect(401, { ...signIn, body: { ...signIn.body, email: "unknown@example.com" } });
  const olga = tokenOf(await expect(201, signIn));
  await expect(200, { path: "/api/v1/session", key: olga });
  await expect(401, { path: "/api/v1/session", key });
  await expect(200, { path: "/api/v1/service", key: olga });
  await expect(401, { path: "/api/v1/service", key });
  await expect(400, { path: "/api/v1/session", key: olga, headers: ["Cookie: procedo=another"] });

  await expect(302, { path: "/api/v1/session/oidc/sso/start?to=/dashboard" });
  await expect(302, { path: "/api/v1/session/oidc/sso/start?to=https://evil.example" });
  await expect(302, { path: "/api/v1/session/oidc/sso/start?unknown=x" });
  await expect(302, { path: "/api/v1/session/oidc/sso/callback?code=guess&state=guess" });
  await expect(404, { path: "/api/v1/session/oidc/unknown/start" });

  const invite = { path: "/api/v1/people/invitations", key: olga };
  const rita = { email: "rita@example.com", access: { sandbox: ["reviewer"] }, groups: ["treasury"] };
  await expect(201, { ...invite, body: rita });
  const invited = await expect(201, { ...invite, body: rita });
  await expect(400, { ...invite, body: { ...rita, access: {} } });
  await expect(409, { ...invite, body: { ...rita, email: "olga@example.com" } });
  await expect(400, { ...invite, body: { ...rita, email: "rita" } });
  await expect(200, { path: "/api/v1/people/invitations", key: olga });
  const other = await expect(201, { ...invite, body: { ...rita, email: "rolf@example.com" } });
  await expect(200, { method: "DELETE", path: `/api/v1/people/invitations/${String(other.body["id"])}`, key: olga });
  const token = String(invited.body["link"]).split("#")[1];
  const joined = await expect(201, { path: "/api/v1/invitations/accept", body: { token, name: "Rita", password } });
  const person = `/api/v1/people/${String(joined.body["id"])}`;

  await expect(200, { method: "DELETE", path: `${person}/sessions`, key: olga });

  const asRita = { path: "/api/v1/session", body: { email: rita.email, password, answerWith: "token" } };
  const session = tokenOf(await expect(201, asRita));
  const again = await expect(201, asRita);
  await expect(200, { path: "/api/v1/sessions", key: session });
  const { id } = again.body["session"] as { readonly id: string };
  await expect(200, { method: "DELETE", path: `/api/v1/sessions/${id}`, key: session });
  await expect(401, { path: "/api/v1/session", key: tokenOf(again) });
  await expect(200, { method: "DELETE", path: "/api/v1/sessions", key: session });

  const decide = `/api/runner-proxy/review/${runInReview}`;
  const rejection = { approved: false, rejectionReason: "Paid by hand.", idempotencyKey: crypto.randomUUID() };
  await expect(200, { path: `/runs/${runInReview}`, key: session });
  await expect(403, { path: `${decide}?environment=live`, key: session, body: rejection });
  await expect(200, { path: decide, key: session, body: rejection });
  await expect(200, { path: "/api/v1/reviews?environment=sandbox&decidable=true", key: session });
  await expect(403, { path: "/api/v1/people", key: session });
  await expect(200, { path: "/api/v1/events?environment=sandbox", key: session, seconds: 1 });

  const change = { method: "PUT", path: "/api/v1/session/password", key: session };
  await expect(422, { ...change, body: { current: "not mine at all", next: "nineteen blue barges" } });
  await expect(200, { ...change, body: { current: password, next: "nineteen blue barges" } });
  const cookie = await expect(201, {
    ...asRita,
    body: { email: rita.email, password: "nineteen blue barges" },
    headers: [`Origin: ${appUrl}`],
  });
  const ofBrowser = [`Cookie: ${String(cookie.cookie)}`];
  await expect(200, { path: "/api/v1/session", headers: ofBrowser });
  await expect(403, { method: "DELETE", path: "/api/v1/session", headers: ofBrowser });
  await expect(403, {
    method: "DELETE",
    path: "/api/v1/session",
    headers: [...ofBrowser, "Origin: https://evil.example"],
  });
  await expect(200, { method: "DELETE", path: "/api/v1/session", headers: [...ofBrowser, `Origin: ${appUrl}`] });

  await expect(200, { path: "/api/v1/people", key: olga });
  await expect(200, { path: person, key: olga });
  await expect(404, { path: "/api/v1/people/per_unknown", key: olga });
  const more = { access: { sandbox: ["reviewer", "builder"] } };
  await expect(200, { method: "PATCH", path: person, key: olga, body: more });
  const { body } = await expect(200, { path: "/api/v1/session", key: olga });
  const { id: lastOwner } = body["person"] as { readonly id: string };
  await expect(409, { method: "DELETE", path: `/api/v1/people/${lastOwner}`, key: olga });
  await expect(200, { method: "DELETE", path: person, key: olga });
  await expect(401, asRita);
}

function tokenOf({ body }: CurlAnswer): string {
  return String(body["token"]);
}
