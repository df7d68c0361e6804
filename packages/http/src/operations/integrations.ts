import {
  catalogueActionPageSchema,
  catalogueActionsQuerySchema,
  integrationListSchema,
  scopeQuerySchema,
  type CatalogueAction,
  type Integration,
} from "@procedo/contract";
import type { CatalogueAction as Listed, DescribedIntegration, SecretField } from "@procedo/engine";
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

function integrationAnswer({ name, title, kind, needsConnection, fields }: DescribedIntegration): Integration {
  const { settings, secrets, authentication } = fields;
  return {
    id: name,
    title,
    kind,
    needsConnection,
    settings,
    secrets: secrets.map(secretAnswer),
    authentication: authentication.map((one) => ({ method: one.method, secrets: one.secrets.map(secretAnswer) })),
  };
}

function secretAnswer({ name, isRequired }: SecretField): Integration["secrets"][number] {
  return { name, isRequired };
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
