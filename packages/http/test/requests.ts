/*
 * A request for every operation, about a resource that a test places in an environment. An operation without a request
 * here fails the inventory.
 */
import { randomUUID } from "node:crypto";
import type { Environment, JsonObject } from "@procedo/contract";
import type { NewTrigger } from "@procedo/engine";
import { asJson, documents, newName, owner, until, type Harness } from "./harness.ts";
import { documentText } from "./listed-api.ts";
import { createOffice } from "./private-office.ts";

/** The place of the requested resource, relative to the key's environment. */
export const placements = ["own", "other", "deleted", "never"] as const;
export type Placement = (typeof placements)[number];

export interface Prepared {
  readonly target: string;
  readonly body?: JsonObject;
  /** The requested id, which the answer may contain. */
  readonly subject?: string;
}

export interface OperationRequest {
  /** The meaningful placements: runs cannot be deleted, and procedures belong to both environments. */
  readonly placements: readonly Placement[];
  prepare(harness: Harness, environment: Environment, placement: Placement): Promise<Prepared>;
  /** The status for a key with all permissions and a resource of its own environment. */
  readonly ok: number;
  /** The status for a resource of the other environment. @defaultValue 404 */
  readonly other?: number;
}

const noon = { kind: "schedule", cron: "0 12 * * *", timeZone: "UTC" } as const;
/** An address of this machine without a listener. */
const nowhere = "http://127.0.0.77:8099/hook";
export const otherThan = (environment: Environment): Environment => (environment === "sandbox" ? "live" : "sandbox");
const whereIs = (environment: Environment, placement: Placement): Environment =>
  placement === "other" ? otherThan(environment) : environment;

async function runAt(harness: Harness, environment: Environment, placement: Placement, procedureId = "ask") {
  if (placement === "never") return "run_never";
  const place = { environment: whereIs(environment, placement) };
  const request = { ...place, procedureId, data: { amount: 1 }, by: owner };
  return (await harness.engine.runs.execute(request)).runId;
}

async function connectionAt(harness: Harness, environment: Environment, placement: Placement) {
  if (placement === "never") return "con_never";
  const place = { environment: whereIs(environment, placement), by: owner };
  const connection = { name: newName(), integration: "custom_api", settings: { spec: { text: documentText() } } };
  const { connectionId } = await harness.engine.connections.create({ ...place, ...connection });
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

/** A webhook trigger, which has a secret, unless another source is given. */
async function triggerAt(
  harness: Harness,
  environment: Environment,
  placement: Placement,
  source: NewTrigger["source"] = { kind: "webhook", authentication: { scheme: "basic" } },
) {
  if (placement === "never") return "trg_never";
  const place = { environment: whereIs(environment, placement), by: owner };
  // The times of a schedule have no event.
  const input = { amount: source.kind === "schedule" ? 1 : "{{ int(event.sum) }}" };
  const trigger = { name: newName(), procedureId: "ask", source, input };
  const { triggerId } = await harness.engine.triggers.create({ ...place, ...trigger });
  if (placement === "deleted") await harness.engine.triggers.remove({ ...place, triggerId });
  return triggerId;
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

const ofTrigger = (
  ok: number,
  target: (triggerId: string) => string,
  body?: JsonObject,
  source?: NewTrigger["source"],
): OperationRequest => ({
  placements,
  ok,
  prepare: async (harness, environment, placement) => {
    const subject = await triggerAt(harness, environment, placement, source);
    return { target: target(subject), subject, ...(body !== undefined && { body }) };
  },
});

/** A firing that failed, because its event does not fit. */
const ofFiring = (ok: number, target: (triggerId: string, firingId: string) => string): OperationRequest => ({
  placements,
  ok,
  prepare: async (harness, environment, placement) => {
    const subject = await triggerAt(harness, environment, placement === "deleted" ? "own" : placement);
    const place = { environment: whereIs(environment, placement), triggerId: subject, by: owner };
    const { triggers } = harness.engine;
    const { firingId } =
      placement === "never" ? { firingId: "fir_never" } : await triggers.fire({ ...place, event: {} });
    if (placement !== "never") {
      const { by: _by, ...address } = place;
      await until(async () => (await triggers.firing({ ...address, firingId })).status === "failed");
    }
    if (placement === "deleted") await triggers.remove(place);
    return { target: target(subject, firingId), subject };
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

const ofConnection = (ok: number, target: (connectionId: string) => string, body?: JsonObject): OperationRequest => ({
  placements,
  ok,
  prepare: async (harness, environment, placement) => {
    const subject = await connectionAt(harness, environment, placement);
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

const ofAll = (ok: number, target: string, body?: () => JsonObject): OperationRequest => ({
  placements: ["own"],
  ok,
  prepare: async () => ({ target, ...(body !== undefined && { body: body() }) }),
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

  listTriggers: ofAll(200, "GET /api/v1/triggers?limit=2"),
  createTrigger: ofAll(201, "POST /api/v1/triggers", () => ({
    name: newName(),
    procedureId: "echo",
    source: { kind: "event", name: "custom.never" },
  })),
  previewTrigger: ofAll(200, "POST /api/v1/triggers/preview", () => ({ source: noon })),
  getTrigger: ofTrigger(200, (id) => `GET /api/v1/triggers/${id}`),
  updateTrigger: ofTrigger(200, (id) => `PATCH /api/v1/triggers/${id}`, { pauseAfterFailures: 3 }),
  deleteTrigger: ofTrigger(200, (id) => `DELETE /api/v1/triggers/${id}`),
  testTrigger: ofTrigger(200, (id) => `POST /api/v1/triggers/${id}/test`, { event: { sum: 1 } }),
  pauseTrigger: ofTrigger(200, (id) => `POST /api/v1/triggers/${id}/pause`),
  resumeTrigger: {
    placements,
    ok: 200,
    prepare: async (harness, environment, placement) => {
      const subject = await triggerAt(harness, environment, placement);
      const place = { environment: whereIs(environment, placement), triggerId: subject, by: owner };
      if (placement === "own" || placement === "other") await harness.engine.triggers.pause(place);
      return { target: `POST /api/v1/triggers/${subject}/resume`, subject };
    },
  },
  fireTrigger: ofTrigger(202, (id) => `POST /api/v1/triggers/${id}/fire`, { data: { amount: 1 } }),
  backfillTrigger: ofTrigger(
    200,
    (id) => `POST /api/v1/triggers/${id}/backfill`,
    { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" },
    noon,
  ),
  rotateTriggerSecret: ofTrigger(200, (id) => `POST /api/v1/triggers/${id}/rotate`),
  listFirings: ofTrigger(200, (id) => `GET /api/v1/triggers/${id}/firings?limit=2`),
  getFiring: ofFiring(200, (triggerId, id) => `GET /api/v1/triggers/${triggerId}/firings/${id}?include=event,input`),
  refire: ofFiring(202, (triggerId, id) => `POST /api/v1/triggers/${triggerId}/firings/${id}/refire`),

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
  // As for webhooks.
  deleteConnection: { ...ofConnection(200, (id) => `DELETE /api/v1/connections/${id}`), other: 403 },
  testConnection: ofConnection(200, (id) => `POST /api/v1/connections/${id}/test`),
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
