import {
  actionPageSchema,
  actionSchema,
  connectionPreviewSchema,
  connectionTestSchema,
  customApiIntegration,
  listActionsQuerySchema,
  maxConnectionRequestBytes,
  previewConnectionRequestSchema,
  ProcedoError,
  scopeQuerySchema,
  type Action,
  type ConnectionPreview,
} from "@procedo/contract";
import type { ActionOperation, ConnectionPreview as Preview, ListedAction } from "@procedo/engine";
import { defineOperation, reply } from "../operation.ts";
import { named } from "./named.ts";
import { noBody } from "./no-body.ts";
import { pageAnswer, pageRequest } from "./page.ts";

export const previewConnection = defineOperation({
  id: "previewConnection",
  method: "POST",
  onlyReads: true,
  path: "/api/v1/connections/preview",
  tag: "Connections",
  summary: "Preview a document",
  description:
    "The actions that a Custom API connection would get from the document. Nothing is saved. For a document that would be " +
    "refused, the answer has no actions and lists the problems.",
  permission: "manage",
  query: scopeQuerySchema,
  heavy: () => true,
  body: { schema: previewConnectionRequestSchema, maxBytes: maxConnectionRequestBytes },
  answers: { 200: { description: "The document's actions and problems.", schema: connectionPreviewSchema } },
  errors: ["invalid_input", "destination_not_allowed"],
  handle: async ({ engine, environment, principal, body, outside }) => {
    const request = { integration: customApiIntegration, settings: body, environment, by: principal };
    const preview = await engine.connections.preview(request, { outside }).catch(asInThisBody);
    return reply(200, previewAnswer(preview));
  },
});

export const testConnection = defineOperation({
  id: "testConnection",
  method: "POST",
  path: "/api/v1/connections/:connectionId/test",
  tag: "Connections",
  summary: "Test a connection",
  description: "Sends one harmless request with the connection's credentials.",
  permission: "manage",
  query: scopeQuerySchema,
  body: noBody,
  answers: {
    200: { description: "The result of the test, with the reason for a failure.", schema: connectionTestSchema },
  },
  errors: ["connection_not_found"],
  handle: async ({ engine, environment, params, principal, outside }) =>
    reply(200, await engine.connections.test({ environment, ...params, by: principal }, { outside })),
});

export const listActions = defineOperation({
  id: "listActions",
  method: "GET",
  path: "/api/v1/connections/:connectionId/actions",
  tag: "Connections",
  summary: "List a connection's actions",
  description: "In the order of the connection's document. A page with large schemas may hold fewer actions.",
  query: listActionsQuerySchema,
  heavy: () => true,
  answers: { 200: { description: "One page of actions.", schema: actionPageSchema } },
  errors: ["connection_not_found", "invalid_cursor"],
  handle: async ({ engine, environment, params, query, outside }) => {
    const { search } = query;
    const request = { environment, ...params, ...pageRequest(query), ...named({ search }) };
    const page = await engine.connections.actions(request, { outside });
    return reply(200, pageAnswer(page, page.items.map(actionAnswer)));
  },
});

export const getAction = defineOperation({
  id: "getAction",
  method: "GET",
  path: "/api/v1/connections/:connectionId/actions/:name",
  tag: "Connections",
  summary: "Get an action of a connection",
  description: "By its name or a former name.",
  query: scopeQuerySchema,
  heavy: () => true,
  answers: { 200: { description: "The action.", schema: actionSchema } },
  errors: ["connection_not_found", "not_found"],
  handle: async ({ engine, environment, params, outside }) =>
    reply(200, actionAnswer(await engine.connections.action({ environment, ...params }, { outside }))),
});

/** Rewrites paths of problems: a connection has these fields under `/settings`, here they are the body itself. */
function asInThisBody(error: unknown): never {
  if (!ProcedoError.isError(error) || error.code !== "invalid_input") throw error;
  const details = error.details.map(({ path, message }) => ({ path: path.replace(/^\/settings(?=\/)/, ""), message }));
  throw new ProcedoError("invalid_input", error.message, { details, cause: error });
}

function actionAnswer(action: ListedAction): Action {
  const { name, description, input, output, effect, deprecated, requiresReview, formerNames, operation } = action;
  return {
    name,
    ...(description !== "" && { description }),
    input,
    ...(output !== undefined && { output }),
    effect,
    ...(deprecated && { deprecated }),
    ...(requiresReview && { requiresReview }),
    ...(formerNames.length > 0 && { formerNames: [...formerNames] }),
    ...(operation !== undefined && { operation: operationAnswer(operation) }),
  };
}

function operationAnswer({ operationId, method, path }: ActionOperation): NonNullable<Action["operation"]> {
  return { ...(operationId !== undefined && { operationId }), method, path };
}

function previewAnswer({ settings, baseUrl, actionCount, actions, problems }: Preview): ConnectionPreview {
  const spec: unknown = settings?.["spec"];
  return {
    ...textsOf(spec),
    ...(baseUrl !== undefined && { baseUrl }),
    actionCount,
    actions: actions.map(actionAnswer),
    problems: [...problems],
  };
}

/** The parts of the document's own description that the integration keeps. */
function textsOf(spec: unknown): Pick<ConnectionPreview, "title" | "version"> {
  if (typeof spec !== "object" || spec === null) return {};
  const { title, version } = spec as { readonly title?: unknown; readonly version?: unknown };
  return { ...(typeof title === "string" && { title }), ...(typeof version === "string" && { version }) };
}
