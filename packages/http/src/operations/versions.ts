import {
  pageQuerySchema,
  publishedVersionSchema,
  publishVersionRequestSchema,
  scopeQuerySchema,
  versionPageSchema,
  versionSchema,
  type VersionSummary,
} from "@procedo/contract";
import type { VersionSummary as Summary } from "@procedo/engine";
import { defineOperation, reply } from "../operation.ts";
import { named } from "./named.ts";
import { pageAnswer, pageRequest } from "./page.ts";
import { timestamp } from "./timestamp.ts";

export const listVersions = defineOperation({
  id: "listVersions",
  method: "GET",
  path: "/api/v1/procedures/:procedureId/versions",
  tag: "Procedures",
  summary: "List a procedure's versions",
  description: "Newest first.",
  query: pageQuerySchema,
  answers: { 200: { description: "One page of versions.", schema: versionPageSchema } },
  errors: ["procedure_not_found", "invalid_cursor"],
  handle: async ({ engine, params, query }) => {
    const page = await engine.procedures.versions({ ...params, ...pageRequest(query) });
    return reply(200, pageAnswer(page, page.items.map(versionSummary)));
  },
});

export const publishVersion = defineOperation({
  id: "publishVersion",
  method: "POST",
  path: "/api/v1/procedures/:procedureId/versions",
  tag: "Procedures",
  summary: "Publish a version",
  description: "A published version is immutable: its name cannot be used again.",
  permission: "manage",
  query: scopeQuerySchema,
  heavy: () => true,
  body: { schema: publishVersionRequestSchema },
  answers: {
    201: { description: "The version is published.", schema: publishedVersionSchema },
  },
  errors: [
    "procedure_not_found",
    "invalid_document",
    "invalid_input",
    "version_exists",
    "revision_conflict",
    "draft_outdated",
  ],
  handle: async ({ engine, environment, params, principal, body, outside }) => {
    const { version, document, revision, basedOn, defaultIn } = body;
    const request = {
      procedureId: params.procedureId,
      version,
      environment,
      defaultIn,
      ifExists: "refuse",
      by: principal,
      ...named({ document, revision, basedOn }),
    } as const;
    const published = await engine.procedures.publish(request, { outside });
    return reply(201, { ...versionSummary(published), problems: [...published.problems] });
  },
});

export const getVersion = defineOperation({
  id: "getVersion",
  method: "GET",
  path: "/api/v1/procedures/:procedureId/versions/:version",
  tag: "Procedures",
  summary: "Get a version",
  query: scopeQuerySchema,
  heavy: () => true,
  answers: { 200: { description: "The version with its document.", schema: versionSchema } },
  errors: ["version_not_found"],
  handle: async ({ engine, params }) => {
    const version = await engine.procedures.version(params);
    return reply(200, { ...versionSummary(version), document: version.document });
  },
});

/** Converts a version to its form in lists. */
export function versionSummary({ procedureId, version, name, publishedBy, publishedAtMs }: Summary): VersionSummary {
  return { procedureId, version, name, publishedBy, publishedAt: timestamp(publishedAtMs) };
}
