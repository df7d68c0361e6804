/*
 * A request for every operation of sessions, by the person of the session, and for every operation of guests. An
 * operation without a request here fails the inventory.
 */
import type { JsonObject } from "@procedo/contract";
import { newName, owner, type Harness, type SignedInPerson } from "./harness.ts";

export interface SessionRequest {
  readonly target: string;
  readonly body?: JsonObject;
}

export interface SessionRequests {
  readonly needs?: "administer";
  /** The status for a person who may send the request. */
  readonly ok: number;
  prepare(harness: Harness, caller: Pick<SignedInPerson, "personId" | "signInAgain">): Promise<SessionRequest>;
}

const ofCaller = (ok: number, target: string, body?: JsonObject): SessionRequests => ({
  ok,
  prepare: async () => ({ target, ...(body !== undefined && { body }) }),
});
const ofOwner = (ok: number, prepare: (harness: Harness) => Promise<SessionRequest>): SessionRequests => ({
  needs: "administer",
  ok,
  prepare,
});

async function invitationAt(harness: Harness) {
  const email = `${newName()}@procedo.test`;
  return await harness.engine.people.invite({ email, access: { live: ["viewer"] }, by: owner });
}

export const sessionRequests: Readonly<Record<string, SessionRequests>> = {
  getSession: ofCaller(200, "GET /api/v1/session"),
  endSession: ofCaller(200, "DELETE /api/v1/session"),
  // The people of the harness have no password, so that each is wrong.
  changePassword: ofCaller(422, "PUT /api/v1/session/password", { current: "x", next: "correct horse battery" }),
  listSessions: ofCaller(200, "GET /api/v1/sessions"),
  endOtherSessions: ofCaller(200, "DELETE /api/v1/sessions"),
  endOneSession: {
    ok: 200,
    prepare: async ({ engine }, { personId, signInAgain }) => {
      // A deactivated person cannot.
      await signInAgain().catch(() => undefined);
      const [newest] = await engine.sessions.list({ personId });
      return { target: `DELETE /api/v1/sessions/${newest?.sessionId ?? "ssn_never"}` };
    },
  },
  getService: ofOwner(200, async () => ({ target: "GET /api/v1/service" })),
  listPeople: ofOwner(200, async () => ({ target: "GET /api/v1/people?limit=2" })),
  getPerson: ofOwner(200, async (harness) => ({ target: `GET /api/v1/people/${(await harness.person()).personId}` })),
  updatePerson: ofOwner(200, async (harness) => ({
    target: `PATCH /api/v1/people/${(await harness.person()).personId}`,
    body: { access: { live: ["owner"] } },
  })),
  deactivatePerson: ofOwner(200, async (harness) => ({
    target: `DELETE /api/v1/people/${(await harness.person()).personId}`,
  })),
  endSessionsOfPerson: ofOwner(200, async (harness) => ({
    target: `DELETE /api/v1/people/${(await harness.person()).personId}/sessions`,
  })),
  listInvitations: ofOwner(200, async () => ({ target: "GET /api/v1/people/invitations?limit=2" })),
  createInvitation: ofOwner(201, async () => ({
    target: "POST /api/v1/people/invitations",
    body: { email: `${newName()}@procedo.test`, access: { live: ["owner"] } },
  })),
  withdrawInvitation: ofOwner(200, async (harness) => ({
    target: `DELETE /api/v1/people/invitations/${(await invitationAt(harness)).invitationId}`,
  })),
};

/** A request that is refused for its token or password, where the operation has one. */
export const guestRequests: Readonly<Record<string, SessionRequest & { readonly status: number }>> = {
  getSignIn: { target: "GET /api/v1/sign-in", status: 200 },
  signIn: { target: "POST /api/v1/session", body: { email: "nobody@procedo.test", password: "guess" }, status: 401 },
  startOidc: { target: "GET /api/v1/session/oidc/none/start", status: 404 },
  finishOidc: { target: "GET /api/v1/session/oidc/none/callback?code=guess&state=guess", status: 404 },
  lookUpInvitation: {
    target: "POST /api/v1/invitations/look-up",
    body: { token: `inv_${"A".repeat(43)}` },
    status: 404,
  },
  acceptInvitation: {
    target: "POST /api/v1/invitations/accept",
    body: { token: `inv_${"A".repeat(43)}`, name: "Nobody", password: "correct horse battery" },
    status: 404,
  },
};
