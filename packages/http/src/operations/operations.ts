import type { Operation } from "../operation.ts";
import { listAudit } from "./audit.ts";
import { createApiKey, deleteApiKey, listApiKeys } from "./api-keys.ts";
import {
  createConnection,
  deleteConnection,
  getConnection,
  listConnections,
  previewChange,
  updateConnection,
} from "./connections.ts";
import { getAction, listActions, previewConnection, testConnection } from "./connection-actions.ts";
import { finishAuthorization, openAuthorization } from "./authorization-pages.ts";
import { refreshAuthorization, removeAuthorization, startAuthorization } from "./connection-oauth.ts";
import { decideReview } from "./decide-review.ts";
import { getDelivery, listDeliveries, resendDeliveries, resendDelivery } from "./deliveries.ts";
import { followChanges } from "./events.ts";
import { getFiring, listFirings, refire } from "./firings.ts";
import { getIntegration, listCatalogue, listIntegrations } from "./integrations.ts";
import {
  acceptInvitation,
  createInvitation,
  listInvitations,
  lookUpInvitation,
  withdrawInvitation,
} from "./invitations.ts";
import { deactivatePerson, endSessionsOfPerson, getPerson, listPeople, updatePerson } from "./people.ts";
import {
  extendLeases,
  pollInvocations,
  postResult,
  postResults,
  registerFunctions,
} from "./private-connection-clients.ts";
import { getPrivateConnectionStatus, listPrivateConnectionClients, regenerateToken } from "./private-connections.ts";
import { discardDraft, getProcedure, listProcedures, saveDraft, setDefault, validateProcedure } from "./procedures.ts";
import { receiveEvents } from "./receive-events.ts";
import { getReview, listReviews } from "./reviews.ts";
import { cancelRun, exportRun, getRun, getRunStep, listRuns, pollRun } from "./runs.ts";
import { getAuditPublicKey, getHealth, getOpenApi, getProcedureSchema, getReadiness, getService } from "./service.ts";
import {
  changePassword,
  endOneSession,
  endOtherSessions,
  endSession,
  getSession,
  getSignIn,
  listSessions,
  signIn,
} from "./sessions.ts";
import { finishOidc, startOidc } from "./oidc.ts";
import { createRun, startRun } from "./start-run.ts";
import { getSummary } from "./summary.ts";
import {
  backfillTrigger,
  fireTrigger,
  pauseTrigger,
  resumeTrigger,
  rotateTriggerSecret,
  testTrigger,
} from "./trigger-actions.ts";
import { createTrigger, deleteTrigger, getTrigger, listTriggers, previewTrigger, updateTrigger } from "./triggers.ts";
import { getVersion, listVersions, publishVersion } from "./versions.ts";
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from "./webhooks.ts";

/** All operations, in the order of the reference. */
export const operations: readonly Operation[] = [
  startRun,
  pollRun,
  createRun,
  listRuns,
  getRun,
  getRunStep,
  cancelRun,
  exportRun,

  listReviews,
  getReview,
  decideReview,

  listProcedures,
  getProcedure,
  saveDraft,
  discardDraft,
  validateProcedure,
  listVersions,
  publishVersion,
  getVersion,
  setDefault,

  listTriggers,
  createTrigger,
  previewTrigger,
  getTrigger,
  updateTrigger,
  deleteTrigger,
  testTrigger,
  pauseTrigger,
  resumeTrigger,
  fireTrigger,
  backfillTrigger,
  rotateTriggerSecret,
  listFirings,
  getFiring,
  refire,

  listIntegrations,
  getIntegration,
  listCatalogue,
  listConnections,
  createConnection,
  previewConnection,
  getConnection,
  updateConnection,
  previewChange,
  deleteConnection,
  testConnection,
  startAuthorization,
  refreshAuthorization,
  removeAuthorization,
  openAuthorization,
  finishAuthorization,
  listActions,
  getAction,
  getPrivateConnectionStatus,
  listPrivateConnectionClients,
  regenerateToken,

  registerFunctions,
  pollInvocations,
  extendLeases,
  postResult,
  postResults,

  listWebhooks,
  createWebhook,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  listDeliveries,
  getDelivery,
  resendDelivery,
  resendDeliveries,

  receiveEvents,

  listApiKeys,
  createApiKey,
  deleteApiKey,

  getSignIn,
  signIn,
  getSession,
  endSession,
  changePassword,
  listSessions,
  endOtherSessions,
  endOneSession,
  startOidc,
  finishOidc,
  lookUpInvitation,
  acceptInvitation,

  listPeople,
  listInvitations,
  createInvitation,
  withdrawInvitation,
  getPerson,
  updatePerson,
  deactivatePerson,
  endSessionsOfPerson,

  listAudit,
  getService,
  getSummary,
  followChanges,
  getOpenApi,
  getProcedureSchema,
  getAuditPublicKey,
  getHealth,
  getReadiness,
];
