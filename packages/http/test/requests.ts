/*
 * A request for every operation, about a resource that a test places in an environment. An operation without a request
 * here fails the inventory.
 */
import { randomUUID } from "node:crypto";
import type { Environment, JsonObject } from "@procedo/contract";
import { asJson, documents, newName, owner, type Harness } from "./harness.ts";
import { documentText } from "./listed-api.ts";
import { createOffice } from "./private-office.ts";
import { ofAll, placements, whereIs, type OperationRequest, type Placement } from "./request-placement.ts";
import { triggerRequests } from "./trigger-requests.ts";

/** An address of this machine without a listener. */
const nowhere = "http://127.0.0.77:8099/hook";

async function runAt(harness: Harness, environment: Environment, placement: Placement, procedureId = "ask") {
  if (placement === "never") return "run_never";
  const place = { environment: whereIs(environment, placement) };
  const request = { ...place, procedureId, data: { amount: 1 }, by: owner };
  return (await harness.engine.runs.execute(request)).runId;
}

interface GivenConnection {
  readonly integration: string;
  readonly settings: JsonObject;
}

const documented: GivenConnection = { integration: "custom_api", settings: { spec: { text: documentText() } } };
const authorized: GivenConnection = { integration: "unreached_oauth", settings: { clientId: "procedo" } };

async function connectionAt(
  harness: Harness,
  environment: Environment,
  placement: Placement,
  given: GivenConnection = documented,
) {
  if (placement === "never") return "con_never";
  const place = { environment: whereIs(environment, placement), by: owner };
  const { connectionId } = await harness.engine.connections.create({ ...place, name: newName(), ...given });
  if (placement === "deleted") await harness.engine.connections.remove({ ...place, connectionId });
  return connectionId;
}

/** It belongs to both environments, so there is no other one. */
async function officeAt(harness: Harness, environment: Environment, placement: Placement) {
  if (placement === "never") return "con_never";
  const { connectionId } = await createOffice(harness, newName());
  if (placement === "deleted") await harness.engine.connections.remove({ environment, connectionId, by: owner });
  return connectionId;
}

async function webhookAt(harness: Harness, environment: Environment, placement: Placement) {
  if (placement === "never") return "whk_never";
  const place = { environment: whereIs(environment, placement), by: owner };
  const { webhookId } = await harness.engine.webhooks.create({ ...place, url: nowhere, events: ["custom.never"] });
  if (placement === "deleted") await harness.engine.webhooks.remove({ ...place, webhookId });
  return webhookId;
}

const ofRun = (ok: number, target: (runId: string) => string, body?: () => JsonObject): OperationRequest => ({
  placements: ["own", "other", "never"],
  ok,
  prepare: async (harness, environment, placement) => {
    const subject = await runAt(harness, environment, placement);
    return { target: target(subject), subject, ...(body !== undefined && { body: body() }) };
  },
});

const ofWebhook = (ok: number, target: (webhookId: string) => string, body?: JsonObject): OperationRequest => ({
  placements,
  ok,
  prepare: async (harness, environment, placement) => {
    const subject = await webhookAt(harness, environment, placement);
    return { target: target(subject), subject, ...(body !== undefined && { body }) };
  },
});

const ofDelivery = (target: (webhookId: string, deliveryId: string) => string): OperationRequest => ({
  placements,
  ok: 200,
  prepare: async (harness, environment, placement) => {
    const webhookId = await webhookAt(harness, environment, placement === "deleted" ? "own" : placement);
    const place = { environment: whereIs(environment, placement), webhookId, by: owner };
    const deliveryId = placement === "never" ? "dlv_never" : (await harness.engine.webhooks.test(place)).deliveryId;
    if (placement === "deleted") await harness.engine.webhooks.remove(place);
    return { target: target(webhookId, deliveryId), subject: webhookId };
  },
});

const ofConnection = (
  ok: number,
  target: (connectionId: string) => string,
  body?: JsonObject,
  given?: GivenConnection,
): OperationRequest => ({
  placements,
  ok,
  prepare: async (harness, environment, placement) => {
    const subject = await connectionAt(harness, environment, placement, given);
    return { target: target(subject), subject, ...(body !== undefined && { body }) };
  },
});

const ofOffice = (
  placements: readonly Placement[],
  target: (connectionId: string, environment: Environment) => string,
): OperationRequest => ({
  placements,
  ok: 200,
  other: 403,
  prepare: async (harness, environment, placement) => {
    const subject = await officeAt(harness, environment, placement);
    return { target: target(subject, whereIs(environment, placement)), subject };
  },
});

const ofProcedure = (
  ok: number,
  target: (procedureId: string) => string,
  body?: () => JsonObject,
): OperationRequest => ({
  placements: ["own", "never"],
  ok,
  prepare: async (_harness, _environment, placement) => {
    const subject = placement === "never" ? "never" : "echo";
    return { target: target(subject), subject, ...(body !== undefined && { body: body() }) };
  },
});

export const requests: Readonly<Record<string, OperationRequest>> = {
  startRun: {
    placements: ["own", "other", "never"],
    ok: 202,
    other: 403,
    prepare: async (_harness, environment, placement) => {
      const subject = placement === "never" ? "never" : "echo";
      return {
        target: `POST /v1/procedures/${subject}/${whereIs(environment, placement)}`,
        subject,
        body: { data: {} },
      };
    },
  },
  createRun: ofProcedure(
    202,
    (id) => `POST /api/v1/procedures/${id}/runs`,
    () => ({ data: {} }),
  ),
  pollRun: ofRun(200, (runId) => `GET /runs/${runId}?include=steps`),
  listRuns: ofAll(200, "GET /api/v1/runs?limit=2"),
  getRunStep: ofRun(200, (runId) => `GET /api/v1/runs/${runId}/steps/start/1`),
  getRun: ofRun(200, (runId) => `GET /api/v1/runs/${runId}`),
  cancelRun: ofRun(
    200,
    (runId) => `POST /api/v1/runs/${runId}/cancel`,
    () => ({ reason: "test" }),
  ),
  exportRun: ofRun(200, (runId) => `GET /api/v1/runs/${runId}/audit`),

  listReviews: ofAll(200, "GET /api/v1/reviews?limit=2"),
  getReview: {
    placements: ["own", "other", "never"],
    ok: 200,
    prepare: async (harness, environment, placement) => {
      const runId = await runAt(harness, environment, placement);
      const place = { environment: whereIs(environment, placement), runId };
      const subject = (await harness.engine.reviews.ofRun(place))[0]?.reviewId ?? "rev_never";
      return { target: `GET /api/v1/reviews/${subject}`, subject };
    },
  },
  decideReview: ofRun(
    200,
    (runId) => `POST /api/runner-proxy/review/${runId}`,
    () => ({
      approved: true,
      idempotencyKey: randomUUID(),
    }),
  ),

  listProcedures: ofAll(200, "GET /api/v1/procedures?limit=2"),
  getProcedure: ofProcedure(200, (id) => `GET /api/v1/procedures/${id}`),
  saveDraft: {
    placements: ["own"],
    ok: 200,
    prepare: async () => ({ target: `PUT /api/v1/procedures/${newName()}/draft`, body: { document: { name: "d" } } }),
  },
  discardDraft: {
    placements: ["own", "deleted", "never"],
    ok: 200,
    prepare: async (harness, environment, placement) => {
      const procedureId = newName();
      const by = { person: "owner", environment };
      const target = `DELETE /api/v1/procedures/${procedureId}/draft?revision=1`;
      if (placement === "never") return { target, subject: procedureId };
      await harness.engine.procedures.saveDraft({ procedureId, document: { name: "d" }, revision: 0, by });
      if (placement === "deleted") await harness.engine.procedures.discardDraft({ procedureId, revision: 1, by });
      return { target, subject: procedureId };
    },
  },
  validateProcedure: ofAll(200, "POST /api/v1/procedures/echo/validate", () => ({ document: asJson(documents.echo) })),
  listVersions: ofProcedure(200, (id) => `GET /api/v1/procedures/${id}/versions?limit=2`),
  publishVersion: ofAll(201, "POST /api/v1/procedures/echo/versions", () => ({
    version: newName(),
    document: asJson(documents.echo),
  })),
  getVersion: ofProcedure(200, (id) => `GET /api/v1/procedures/${id}/versions/v1`),
  setDefault: {
    placements: ["own", "other", "never"],
    ok: 200,
    other: 403,
    prepare: async (_harness, environment, placement) => ({
      target: `PUT /api/v1/procedures/echo/defaults/${whereIs(environment, placement)}`,
      body: { version: placement === "never" ? "never" : "v1" },
      subject: "never",
    }),
  },

  ...triggerRequests,

  listConnections: ofAll(200, "GET /api/v1/connections?limit=2"),
  createConnection: {
    placements: ["own", "other"],
    ok: 201,
    other: 403,
    prepare: async (_harness, environment, placement) => ({
      target: "POST /api/v1/connections",
      body: {
        name: newName(),
        integration: "custom_api",
        environment: whereIs(environment, placement),
        settings: { spec: { text: documentText() } },
      },
    }),
  },
  previewConnection: ofAll(200, "POST /api/v1/connections/preview", () => ({ spec: { text: documentText() } })),
  getConnection: ofConnection(200, (id) => `GET /api/v1/connections/${id}?include=spec`),
  updateConnection: ofConnection(200, (id) => `PATCH /api/v1/connections/${id}`, { secrets: { token: "t" } }),
  previewChange: ofConnection(200, (id) => `POST /api/v1/connections/${id}/preview`, { secrets: { token: "t" } }),
  // As for webhooks.
  deleteConnection: { ...ofConnection(200, (id) => `DELETE /api/v1/connections/${id}`), other: 403 },
  testConnection: ofConnection(200, (id) => `POST /api/v1/connections/${id}/test`),
  startAuthorization: ofConnection(200, (id) => `POST /api/v1/connections/${id}/oauth/start`, {}, authorized),
  // It was never authorized.
  refreshAuthorization: ofConnection(
    409,
    (id) => `POST /api/v1/connections/${id}/oauth/refresh`,
    undefined,
    authorized,
  ),
  removeAuthorization: ofConnection(200, (id) => `DELETE /api/v1/connections/${id}/oauth`, undefined, authorized),
  listActions: ofConnection(200, (id) => `GET /api/v1/connections/${id}/actions?limit=2`),
  getAction: ofConnection(200, (id) => `GET /api/v1/connections/${id}/actions/pay`),
  listIntegrations: ofAll(200, "GET /api/v1/integrations"),
  getIntegration: {
    placements: ["own", "never"],
    ok: 200,
    prepare: async (_harness, _environment, placement) => {
      const subject = placement === "never" ? "never" : "desk";
      return { target: `GET /api/v1/integrations/${subject}`, subject };
    },
  },
  listCatalogue: ofAll(200, "GET /api/v1/actions?limit=2"),
  listPrivateConnectionClients: ofOffice(
    ["own", "deleted", "never"],
    (id) => `GET /api/v1/connections/${id}/private-connection/clients`,
  ),
  getPrivateConnectionStatus: ofOffice(
    ["own", "deleted", "never"],
    (id) => `GET /api/v1/connections/${id}/private-connection/status`,
  ),
  regenerateToken: ofOffice(
    placements,
    (id, environment) => `POST /api/v1/connections/${id}/private-connection/tokens/${environment}`,
  ),

  listWebhooks: ofAll(200, "GET /api/v1/webhooks?limit=2"),
  createWebhook: ofAll(201, "POST /api/v1/webhooks", () => ({
    url: nowhere,
    events: ["custom.never"],
    isActive: false,
  })),
  getWebhook: ofWebhook(200, (id) => `GET /api/v1/webhooks/${id}`),
  updateWebhook: ofWebhook(200, (id) => `PATCH /api/v1/webhooks/${id}`, { name: "renamed" }),
  // Reading a webhook of the other environment is a 404; deleting it is forbidden.
  deleteWebhook: { ...ofWebhook(200, (id) => `DELETE /api/v1/webhooks/${id}`), other: 403 },
  rotateWebhookSecret: ofWebhook(200, (id) => `POST /api/v1/webhooks/${id}/rotate`, { keepOldSecret: true }),
  testWebhook: ofWebhook(200, (id) => `POST /api/v1/webhooks/${id}/test`, {}),
  listDeliveries: ofWebhook(200, (id) => `GET /api/v1/webhooks/${id}/deliveries?limit=2`),
  resendDeliveries: ofWebhook(200, (id) => `POST /api/v1/webhooks/${id}/deliveries/resend`, {
    since: "2026-01-01T00:00:00Z",
  }),
  getDelivery: ofDelivery((webhookId, deliveryId) => `GET /api/v1/webhooks/${webhookId}/deliveries/${deliveryId}`),
  resendDelivery: ofDelivery(
    (webhookId, deliveryId) => `POST /api/v1/webhooks/${webhookId}/deliveries/${deliveryId}/resend`,
  ),

  getSummary: ofAll(200, "GET /api/v1/summary"),
  followChanges: ofAll(200, "GET /api/v1/events"),

  listAudit: ofAll(200, "GET /api/v1/audit?limit=2"),
  listApiKeys: ofAll(200, "GET /api/v1/api-keys?limit=2"),
  createApiKey: {
    placements: ["own", "other"],
    ok: 201,
    other: 403,
    prepare: async (_harness, environment, placement) => ({
      target: "POST /api/v1/api-keys",
      body: { name: newName(), environment: whereIs(environment, placement), permissions: [] },
    }),
  },
  deleteApiKey: {
    placements,
    ok: 200,
    other: 403,
    prepare: async (harness, environment, placement) => {
      if (placement === "never") return { target: "DELETE /api/v1/api-keys/key_never", subject: "key_never" };
      const made = { name: newName(), environment: whereIs(environment, placement), permissions: [], by: owner };
      const { keyId } = await harness.engine.keys.create(made);
      if (placement === "deleted") await harness.engine.keys.remove({ keyId, by: owner });
      return { target: `DELETE /api/v1/api-keys/${keyId}`, subject: keyId };
    },
  },
};
