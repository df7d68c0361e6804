import { principalAnswerSchema, signInMethodsSchema } from "@procedo/contract";
import { defineGuestOperation, definePrincipalOperation, reply, type Operation } from "../operation.ts";
import { noQuery } from "./no-query.ts";
import { operations } from "./operations.ts";

const getSignIn = defineGuestOperation({
  id: "getSignIn",
  method: "GET",
  path: "/api/v1/sign-in",
  tag: "Signing in",
  summary: "Get the ways to sign in",
  description: "The application signs people in, so that there are none here.",
  query: noQuery,
  answers: { 200: { description: "No way to sign in.", schema: signInMethodsSchema } },
  errors: [],
  handle: async () => ({ status: 200 as const, body: { setUp: true, methods: [] } }),
});

const getPrincipal = definePrincipalOperation({
  id: "getPrincipal",
  method: "GET",
  path: "/api/v1/session",
  tag: "Signing in",
  summary: "Get the person of the request",
  description: "The person whom the application signed in, or as whom the API key acts, and what they may do.",
  query: noQuery,
  answers: { 200: { description: "The person.", schema: principalAnswerSchema } },
  errors: [],
  handle: async ({ principal, about }) => {
    const { person, roles = [], permissions = [], environment, permissionsElsewhere } = principal;
    const { version, models, timeZone } = about;
    return reply(200, {
      principal: {
        person,
        roles: [...roles],
        permissions: [...permissions],
        ...(environment !== undefined && { environment }),
        ...(permissionsElsewhere !== undefined && { permissionsElsewhere: [...permissionsElsewhere] }),
      },
      service: { version, models: [...models], timeZone },
    });
  },
});

/** The operations of a service whose application signs people in: those of people, invitations and sessions are left out. */
export const applicationOperations: readonly Operation[] = operations.flatMap((operation): readonly Operation[] => {
  const replacement = [getSignIn, getPrincipal].find(
    ({ method, path }) => method === operation.method && path === operation.path,
  );
  if (replacement !== undefined) return [replacement];
  return operation.access === "guest" || operation.access === "session" ? [] : [operation];
});
