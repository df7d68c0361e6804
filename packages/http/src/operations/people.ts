import {
  deactivatedPersonSchema,
  deactivatePersonQuerySchema,
  pageQuerySchema,
  personPageSchema,
  personSchema,
  successSchema,
  updatePersonRequestSchema,
  type Person,
} from "@procedo/contract";
import type { Person as Known } from "@procedo/engine";
import { defineSessionOperation, reply } from "../operation.ts";
import { keyAnswer } from "./api-keys.ts";
import { named } from "./named.ts";
import { noBody } from "./no-body.ts";
import { noQuery } from "./no-query.ts";
import { pageAnswer, pageRequest } from "./page.ts";
import { timestamp } from "./timestamp.ts";

/** People belong to the workspace, so that their lists concern no environment. */
export const workspacePageQuery = pageQuerySchema.omit({ environment: true });

export const listPeople = defineSessionOperation({
  id: "listPeople",
  method: "GET",
  path: "/api/v1/people",
  tag: "People",
  summary: "List people",
  description: "All people of the workspace, including those who are not active.",
  permission: "administer",
  query: workspacePageQuery,
  answers: { 200: { description: "One page of people.", schema: personPageSchema } },
  errors: ["invalid_cursor"],
  handle: async ({ engine, query }) => {
    const page = await engine.people.list(pageRequest(query));
    return reply(200, pageAnswer(page, page.items.map(personAnswer)));
  },
});

export const getPerson = defineSessionOperation({
  id: "getPerson",
  method: "GET",
  path: "/api/v1/people/:id",
  tag: "People",
  summary: "Get a person",
  permission: "administer",
  query: noQuery,
  answers: { 200: { description: "The person.", schema: personSchema } },
  errors: ["person_not_found"],
  handle: async ({ engine, params }) => reply(200, personAnswer(await engine.people.get({ personId: params.id }))),
});

export const updatePerson = defineSessionOperation({
  id: "updatePerson",
  method: "PATCH",
  path: "/api/v1/people/:id",
  tag: "People",
  summary: "Change a person",
  description:
    "Named fields are replaced. All others stay unchanged. A change of access or groups ends the sessions of " +
    "the person. The last owner of both environments stays one.",
  permission: "administer",
  query: noQuery,
  body: { schema: updatePersonRequestSchema },
  answers: { 200: { description: "The person as they are now.", schema: personSchema } },
  errors: ["person_not_found", "last_owner", "revision_conflict"],
  handle: async ({ engine, params, principal, body }) => {
    const { access, ...changes } = named(body);
    const request = { personId: params.id, by: principal, ...changes, ...(access && { access: named(access) }) };
    return reply(200, personAnswer(await engine.people.update(request)));
  },
});

export const deactivatePerson = defineSessionOperation({
  id: "deactivatePerson",
  method: "DELETE",
  path: "/api/v1/people/:id",
  tag: "People",
  summary: "Deactivate a person",
  description:
    "Ends the sessions of the person, who cannot sign in any more. API keys that act as the person are refused from now on, or " +
    "are deleted. Records keep naming the person.",
  permission: "administer",
  query: deactivatePersonQuerySchema,
  body: noBody,
  answers: { 200: { description: "The API keys that act as the person.", schema: deactivatedPersonSchema } },
  errors: ["person_not_found", "last_owner", "revision_conflict"],
  handle: async ({ engine, params, principal, query }) => {
    const request = { personId: params.id, removeKeys: query.keys === "delete", by: principal };
    const { keys } = await engine.people.deactivate(request);
    return reply(200, { keys: keys.map(keyAnswer) });
  },
});

export const endSessionsOfPerson = defineSessionOperation({
  id: "endSessionsOfPerson",
  method: "DELETE",
  path: "/api/v1/people/:id/sessions",
  tag: "People",
  summary: "End all sessions of a person",
  description: "The person stays active, and signs in again.",
  permission: "administer",
  query: noQuery,
  body: noBody,
  answers: { 200: { description: "All sessions of the person have ended.", schema: successSchema } },
  errors: ["person_not_found", "revision_conflict"],
  handle: async ({ engine, params, principal }) => {
    await engine.sessions.endOthers({ personId: params.id, by: principal });
    return reply(200, { success: true });
  },
});

/** Converts a person to their form in answers. */
export function personAnswer(person: Known): Person {
  const { personId, email, name, access, groups, isActive, lastSeenAtMs, createdAtMs } = person;
  return {
    id: personId,
    email,
    name,
    access: { sandbox: [...access.sandbox], live: [...access.live] },
    groups: [...groups],
    isActive,
    ...(lastSeenAtMs !== undefined && { lastSeenAt: timestamp(lastSeenAtMs) }),
    createdAt: timestamp(createdAtMs),
  };
}
