import { auditPageSchema, listAuditQuerySchema, type AuditEntry } from "@procedo/contract";
import type { WorkspaceChange } from "@procedo/engine";
import { defineOperation, reply } from "../operation.ts";
import { named } from "./named.ts";
import { pageAnswer, pageRequest } from "./page.ts";
import { timestamp } from "./timestamp.ts";

export const listAudit = defineOperation({
  id: "listAudit",
  method: "GET",
  path: "/api/v1/audit",
  tag: "Service",
  summary: "List the changes of the workspace",
  description:
    "Newest first: published versions, discarded drafts, and changes of the environment's connections, webhooks and API keys. Changes of " +
    "people are shown to owners. A page examines a bounded number of entries: it may be short or even empty although it has a " +
    "`nextCursor`.",
  query: listAuditQuerySchema,
  heavy: () => true,
  answers: { 200: { description: "One page of entries.", schema: auditPageSchema } },
  errors: ["invalid_cursor", "journal_corrupted"],
  handle: async ({ engine, environment, principal, query }) => {
    const { action, person, subject, from, to } = query;
    const { permissions = ["administer"] } = principal;
    const page = await engine.audit.list({
      environment,
      withPeople: permissions.includes("administer"),
      ...pageRequest(query),
      ...named({ action, person, subject }),
      ...(from !== undefined && { fromMs: Date.parse(from) }),
      ...(to !== undefined && { toMs: Date.parse(to) }),
    });
    return reply(200, pageAnswer(page, page.items.map(auditEntry)));
  },
});

/** Converts a change of the workspace to its form in lists. */
export function auditEntry({ seq, hash, atMs, action, by, via, subject, details }: WorkspaceChange): AuditEntry {
  return { seq, hash, at: timestamp(atMs), action, by, via, subject, ...named({ details }) };
}
