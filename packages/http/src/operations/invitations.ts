import {
  acceptInvitationRequestSchema,
  createdInvitationSchema,
  createInvitationRequestSchema,
  invitationPageSchema,
  lookUpInvitationRequestSchema,
  openInvitationSchema,
  personSchema,
  successSchema,
  type Invitation,
} from "@procedo/contract";
import type { Invitation as Known } from "@procedo/engine";
import { defineGuestOperation, defineSessionOperation, reply } from "../operation.ts";
import { named } from "./named.ts";
import { noBody } from "./no-body.ts";
import { noQuery } from "./no-query.ts";
import { pageAnswer, pageRequest } from "./page.ts";
import { personAnswer, workspacePageQuery } from "./people.ts";
import { passwordMs } from "./sessions.ts";
import { timestamp } from "./timestamp.ts";

export const listInvitations = defineSessionOperation({
  id: "listInvitations",
  method: "GET",
  path: "/api/v1/people/invitations",
  tag: "People",
  summary: "List open invitations",
  permission: "administer",
  query: workspacePageQuery,
  answers: { 200: { description: "One page of invitations that are open.", schema: invitationPageSchema } },
  errors: ["invalid_cursor"],
  handle: async ({ engine, query }) => {
    const page = await engine.people.invitations(pageRequest(query));
    return reply(200, pageAnswer(page, page.items.map(invitationAnswer)));
  },
});

export const createInvitation = defineSessionOperation({
  id: "createInvitation",
  method: "POST",
  path: "/api/v1/people/invitations",
  tag: "People",
  summary: "Invite a person",
  description:
    "The service sends no e-mail: give the link to the person in a way that you trust. The link is valid once, for 7 days. An " +
    "open invitation of the same address is replaced: its link is void.",
  permission: "administer",
  query: noQuery,
  body: { schema: createInvitationRequestSchema },
  answers: {
    201: { description: "The invitation. Its link is shown in this answer only.", schema: createdInvitationSchema },
  },
  errors: ["email_taken", "revision_conflict"],
  handle: async ({ engine, principal, body, appUrl, isAwaited }) => {
    const { email, access, groups } = body;
    const request = { email, access: named(access), groups, by: principal };
    const { token, ...invitation } = await engine.people.invite(request, { isAwaited });
    return reply(201, { ...invitationAnswer(invitation), link: `${appUrl}/dashboard/invitation#${token}` });
  },
});

export const withdrawInvitation = defineSessionOperation({
  id: "withdrawInvitation",
  method: "DELETE",
  path: "/api/v1/people/invitations/:id",
  tag: "People",
  summary: "Withdraw an invitation",
  permission: "administer",
  query: noQuery,
  body: noBody,
  answers: { 200: { description: "The link is no longer valid.", schema: successSchema } },
  errors: ["invitation_not_found", "revision_conflict"],
  handle: async ({ engine, principal, params }) => {
    await engine.people.withdraw({ invitationId: params.id, by: principal });
    return reply(200, { success: true });
  },
});

export const lookUpInvitation = defineGuestOperation({
  id: "lookUpInvitation",
  isAttempt: true,
  method: "POST",
  path: "/api/v1/invitations/look-up",
  tag: "Signing in",
  summary: "Look an invitation up",
  description: "An invitation that is unknown, was accepted or withdrawn, or has expired gets the same answer.",
  query: noQuery,
  body: { schema: lookUpInvitationRequestSchema },
  answers: { 200: { description: "The invitation.", schema: openInvitationSchema } },
  errors: ["invitation_not_found"],
  handle: async ({ engine, body }) => {
    const { email, access, groups, expiresAtMs } = await engine.people.lookUp(body);
    return reply(200, {
      ...named({ email }),
      access: { sandbox: [...access.sandbox], live: [...access.live] },
      groups: [...groups],
      expiresAt: timestamp(expiresAtMs),
    });
  },
});

export const acceptInvitation = defineGuestOperation({
  id: "acceptInvitation",
  isAttempt: true,
  method: "POST",
  path: "/api/v1/invitations/accept",
  tag: "Signing in",
  summary: "Accept an invitation",
  description: "Creates the person, with a password of their own. They sign in with it afterwards.",
  query: noQuery,
  body: { schema: acceptInvitationRequestSchema },
  answers: { 201: { description: "The person.", schema: personSchema } },
  errors: ["invitation_not_found", "email_taken", "revision_conflict"],
  handle: async ({ engine, body, extend }) => {
    extend(passwordMs);
    return reply(201, personAnswer(await engine.people.accept(named(body))));
  },
});

function invitationAnswer(invitation: Known): Invitation {
  const { invitationId, email, access, groups, invitedBy, createdAtMs, expiresAtMs } = invitation;
  return {
    id: invitationId,
    email: email ?? "",
    access: { sandbox: [...access.sandbox], live: [...access.live] },
    groups: [...groups],
    invitedBy,
    createdAt: timestamp(createdAtMs),
    expiresAt: timestamp(expiresAtMs),
  };
}
