/** A person with a session, and an open invitation, of a running server. */
import { call, procedoJson, type Place } from "./server-process.ts";

export interface PeopleOfService {
  readonly sessionToken: string;
  readonly invitationToken: string;
}

export const password = "four eyes see more";

/** A request without a credential. */
export async function ask(url: string, body: unknown): Promise<{ readonly status: number; readonly body: unknown }> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

const invite = async (place: Place, email: string, access: string): Promise<string> => {
  const { link } = await procedoJson<{ link: string }>(place, "people", "invite", "--email", email, "--access", access);
  return link.split("#")[1] ?? "";
};

export async function addPeople(place: Place, url: string): Promise<PeopleOfService> {
  const email = "ana@example.com";
  const token = await invite(place, email, "live=owner,sandbox=owner");
  await ask(`${url}/api/v1/invitations/accept`, { token, name: "Ana", password });
  const signedIn = await ask(`${url}/api/v1/session`, { email, password, answerWith: "token" });
  const sessionToken = (signedIn.body as { readonly token: string }).token;
  return { sessionToken, invitationToken: await invite(place, "ben@example.com", "live=viewer") };
}

/** The statuses of a request with the session, and of the acceptance of the invitation. */
export async function statusesOf(url: string, { sessionToken, invitationToken }: PeopleOfService): Promise<number[]> {
  const session = await call(`${url}/api/v1/session`, sessionToken);
  const accepted = await ask(`${url}/api/v1/invitations/accept`, { token: invitationToken, name: "Ben", password });
  return [session.status, accepted.status];
}
