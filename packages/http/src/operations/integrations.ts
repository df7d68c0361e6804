import {
  catalogueActionPageSchema,
  catalogueActionsQuerySchema,
  integrationListSchema,
  integrationSchema,
  ProcedoError,
  scopeQuerySchema,
  type CatalogueAction,
  type Integration,
} from "@procedo/contract";
import type { CatalogueAction as Listed, DescribedIntegration, InboundEventType, SecretField } from "@procedo/engine";
import { defineOperation, reply } from "../operation.ts";
import { named } from "./named.ts";
import { pageAnswer, pageRequest } from "./page.ts";

export const listIntegrations = defineOperation({
  id: "listIntegrations",
  method: "GET",
  path: "/api/v1/integrations",
  tag: "Connections",
  summary: "List integrations",
  description: "The integrations for which connections can be created, with the fields of a form.",
  query: scopeQuerySchema,
  answers: { 200: { description: "The integrations.", schema: integrationListSchema } },
  errors: [],
  handle: async ({ engine }) => reply(200, { data: engine.connections.integrations().map(integrationAnswer) }),
});

export const getIntegration = defineOperation({
  id: "getIntegration",
  method: "GET",
  path: "/api/v1/integrations/:integration",
  tag: "Connections",
  summary: "Get an integration",
  query: scopeQuerySchema,
  answers: { 200: { description: "The integration.", schema: integrationSchema } },
  errors: ["integration_not_found"],
  handle: async ({ engine, params }) => {
    const integration = engine.connections.integrations().find(({ name }) => name === params.integration);
    if (integration !== undefined) return reply(200, integrationAnswer(integration));
    const message = `There is no integration "${params.integration}". GET /api/v1/integrations lists all.`;
    throw new ProcedoError("integration_not_found", message);
  },
});

export const listCatalogue = defineOperation({
  id: "listCatalogue",
  method: "GET",
  path: "/api/v1/actions",
  tag: "Connections",
  summary: "List the actions of all connections",
  description:
    "Without schemas, in a fixed order of the connections. Documents are read as the pages reach their connections: a page " +
    "covers at most 10 connections, and may be empty although it has a `nextCursor`.",
  query: catalogueActionsQuerySchema,
  heavy: () => true,
  answers: { 200: { description: "One page of actions.", schema: catalogueActionPageSchema } },
  errors: ["invalid_cursor"],
  handle: async ({ engine, environment, query, outside }) => {
    const { search, connection } = query;
    const request = { environment, ...pageRequest(query), ...named({ search, connection }) };
    const page = await engine.connections.catalogue(request, { outside });
    return reply(200, pageAnswer(page, page.items.map(catalogueAnswer)));
  },
});

/** An integration as the interface answers it. */
export function integrationAnswer(integration: DescribedIntegration): Integration {
  const { name, title, category, kind, needsConnection, fields, events, oauth } = integration;
  const { settings, secrets, otherSecrets, authentication } = fields;
  return {
    id: name,
    title,
    ...named({ category }),
    kind,
    needsConnection,
    settings,
    secrets: secrets.map(secretAnswer),
    ...(otherSecrets !== undefined && { otherSecrets: { ...otherSecrets } }),
    authentication: authentication.map((one) => ({ method: one.method, secrets: one.secrets.map(secretAnswer) })),
    oauth,
    events: events.map(eventTypeAnswer),
  };
}

function eventTypeAnswer({ type, title, schema, sample }: InboundEventType): Integration["events"][number] {
  return { type, title, ...named({ schema }), sample };
}

function secretAnswer({ name, isRequired, description }: SecretField): Integration["secrets"][number] {
  return { name, isRequired, ...named({ description }) };
}

function catalogueAnswer(action: Listed): CatalogueAction {
  const { connection, integration, name, description, effect, deprecated, requiresReview, formerNames } = action;
  return {
    connection,
    integration,
    name,
    ...(description !== "" && { description }),
    effect,
    ...(deprecated && { deprecated }),
    ...(requiresReview && { requiresReview }),
    ...(formerNames.length > 0 && { formerNames: [...formerNames] }),
  };
}
