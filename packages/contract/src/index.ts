// Values
export { jsonObjectSchema, jsonValueSchema } from "./json.ts";
export type { JsonObject, JsonValue } from "./json.ts";
export { environments, environmentSchema, scopeQuerySchema } from "./environment.ts";
export type { Environment, ScopeQuery } from "./environment.ts";
export { idSchema, connectionNameSchema, procedureIdSchema, versionNameSchema } from "./identifiers.ts";
export { maxNameLength, nameProblem, normalName } from "./names.ts";
export { timestampSchema } from "./timestamp.ts";
export {
  connectedWindowMs,
  executionTimeoutMs,
  heartbeatIntervalMs,
  invocationLeaseMs,
  maxConnectionRequestBytes,
  maxJsonDepth,
  maxRequestBytes,
  maxResultBytes,
  maxResultsTogether,
  maxReviewDataBytes,
  idempotencyKeyTtlBoundsMs,
  pageLimit,
  pollHoldMs,
} from "./limits.ts";

// Answers that many endpoints share
export { pageOf, pageQuerySchema } from "./pages.ts";
export type { Page, PageQuery, ParsedPageQuery } from "./pages.ts";
export { successSchema } from "./success.ts";
export type { Success } from "./success.ts";

// Errors
export { errorCatalogue, ProcedoError, statusOf } from "./errors.ts";
export type { ErrorCode, ErrorDetail, ProcedoErrorOptions } from "./errors.ts";
export { errorBodyOf, errorBodySchema, errorFromBody } from "./error-body.ts";
export type { ErrorBody } from "./error-body.ts";
export { requestProblems } from "./request-problems.ts";
export type { RequestProblem } from "./request-problems.ts";

// HTTP
export { ignoreInterimAnswers } from "./interim-answers.ts";
export type { HttpSocket, InterimRefusal } from "./interim-answers.ts";

// Options of functions
export { checkOptionNames, kindOf, quotedValue } from "./options.ts";
export type { OptionNames } from "./options.ts";
export { meantName, nearestName } from "./nearest-name.ts";

// The procedure document
export { procedureDocumentSchema } from "./document.ts";
export { jsonSchemaOfProcedure } from "./procedure-json-schema.ts";
export type {
  ConditionNode,
  EndNode,
  HumanReviewNode,
  NodeBudget,
  NodeReview,
  NodeKind,
  ProcedureBudgets,
  ProcedureDocument,
  ProcedureEdge,
  ProcedureNode,
  StartNode,
  SumLimit,
  ToolCallNode,
  UnknownOutcomePolicy,
} from "./document-types.ts";
export { problemSchema, problemsSchema } from "./problems.ts";
export type { DocumentProblem, DocumentProblems } from "./problems.ts";

// Procedures: draft, versions, defaults
export {
  defaultVersionSchema,
  discardDraftQuerySchema,
  draftSchema,
  draftStateSchema,
  listProceduresQuerySchema,
  procedurePageSchema,
  procedureSchema,
  procedureSummarySchema,
  publishedVersionSchema,
  publishVersionRequestSchema,
  savedDraftSchema,
  saveDraftRequestSchema,
  setDefaultRequestSchema,
  validateProcedureRequestSchema,
  versionPageSchema,
  versionSchema,
  versionSummarySchema,
} from "./procedures.ts";
export type {
  DefaultVersion,
  DiscardDraftQuery,
  Draft,
  DraftState,
  ListProceduresQuery,
  ParsedListProceduresQuery,
  ParsedPublishVersionRequest,
  ParsedSaveDraftRequest,
  Procedure,
  ProcedureSummary,
  PublishedVersion,
  PublishVersionRequest,
  SavedDraft,
  SaveDraftRequest,
  SetDefaultRequest,
  ValidateProcedureRequest,
  Version,
  VersionSummary,
} from "./procedures.ts";

// Runs: start, replies, record
export {
  executionModeSchema,
  idempotencyKeyHeaderSchema,
  runAcceptedSchema,
  runReplySchema,
  startRunRequestSchema,
  syncRunAwaitingReviewSchema,
  syncRunCompletedSchema,
  syncRunFailedSchema,
  syncRunReplySchema,
  syncRunTimeoutSchema,
} from "./start-run.ts";
export type { ExecutionMode, ParsedStartRunRequest } from "./start-run.ts";
export type { RunAccepted, RunReply, StartRunRequest, SyncRunReply } from "./start-run-types.ts";
export {
  cancelRunRequestSchema,
  getRunQuerySchema,
  listRunsQuerySchema,
  openReviewSchema,
  runCallSchema,
  runPageSchema,
  runSchema,
  runStatuses,
  runStatusSchema,
  runAttemptSchema,
  runExchangeSchema,
  runStepSchema,
  runTimelineStepSchema,
  runSummarySchema,
} from "./runs.ts";
export { maxReferenceLength, referenceText } from "./reference.ts";
export type { GetRunQuery, ListRunsQuery, ParsedListRunsQuery, RunStatus } from "./runs.ts";
export type {
  AuthorizationWait,
  CancelRunRequest,
  OpenReview,
  Run,
  RunCall,
  RunAttempt,
  RunExchange,
  RunStep,
  RunTimelineStep,
  RunSummary,
  RunWait,
} from "./run-types.ts";
export { runTurnSchema } from "./run-turns.ts";
export type { RunReplyPart, RunTurn, TurnMessage } from "./run-turn-types.ts";
export {
  auditEntrySchema,
  auditExportSchema,
  auditPageSchema,
  auditPublicKeySchema,
  auditStatementSchema,
  listAuditQuerySchema,
} from "./audit.ts";
export type { AuditEntry, AuditExport, AuditPublicKey, AuditStatement, ListAuditQuery } from "./audit.ts";

// Reviews and decisions
export { decisionErrorCode, reviewDecisionSchema } from "./review-decision.ts";
export {
  decisionRecordSchema,
  listReviewsQuerySchema,
  reviewKindSchema,
  reviewPageSchema,
  reviewSchema,
  reviewStatusSchema,
  reviewSummarySchema,
} from "./reviews.ts";
export type { ListReviewsQuery, ParsedListReviewsQuery, ReviewKind, ReviewStatus } from "./reviews.ts";
export type {
  DecisionRecord,
  MayDecide,
  Review,
  ReviewCall,
  ReviewCallSummary,
  ReviewDecision,
  ReviewSummary,
} from "./review-types.ts";

// Events and the webhooks that receive them
export {
  customEventSchema,
  eventEnvelopeSchema,
  eventNameSchema,
  humanReviewRequestedEventSchema,
  runCompletedEventSchema,
  runEvents,
  runFailedEventSchema,
} from "./events.ts";
export type {
  CustomEvent,
  EventEnvelope,
  EventName,
  HumanReviewRequestedEvent,
  RunCompletedEvent,
  RunFailedEvent,
} from "./events.ts";
export { sampleEventData } from "./sample-event.ts";
export {
  createdWebhookSchema,
  createWebhookRequestSchema,
  rotatedWebhookSecretSchema,
  rotateWebhookSecretRequestSchema,
  testWebhookRequestSchema,
  updateWebhookRequestSchema,
  webhookPageSchema,
  webhookSchema,
} from "./webhooks.ts";
export type {
  CreatedWebhook,
  CreateWebhookRequest,
  ParsedCreateWebhookRequest,
  ParsedRotateWebhookSecretRequest,
  RotatedWebhookSecret,
  RotateWebhookSecretRequest,
  TestWebhookRequest,
  UpdateWebhookRequest,
  Webhook,
} from "./webhooks.ts";
export {
  deliveryDetailsSchema,
  deliveryPageSchema,
  deliverySchema,
  listDeliveriesQuerySchema,
  resendDeliveriesRequestSchema,
  resentDeliveriesSchema,
} from "./deliveries.ts";
export type {
  Delivery,
  DeliveryAttempt,
  DeliveryDetails,
  DeliveryStatus,
  ListDeliveriesQuery,
  ResendDeliveriesRequest,
  ResentDeliveries,
} from "./deliveries.ts";

// API keys
export {
  apiKeyPageSchema,
  apiKeyPrefixes,
  apiKeySchema,
  createApiKeyRequestSchema,
  createdApiKeySchema,
  permissions,
  permissionSchema,
} from "./api-keys.ts";
export type { ApiKey, CreateApiKeyRequest, CreatedApiKey, ParsedCreateApiKeyRequest, Permission } from "./api-keys.ts";

// The service itself
export { serviceFactsSchema } from "./service.ts";
export type { ServiceFacts } from "./service.ts";

// An environment in numbers
export { summarySchema } from "./summary.ts";
export type { Summary } from "./summary.ts";

// People, their invitations and sessions
export {
  acceptInvitationRequestSchema,
  accessRequestSchema,
  accessRoles,
  accessRoleSchema,
  accessSchema,
  createdInvitationSchema,
  createInvitationRequestSchema,
  deactivatedPersonSchema,
  deactivatePersonQuerySchema,
  emailProblem,
  emailSchema,
  invitationPageSchema,
  invitationSchema,
  lookUpInvitationRequestSchema,
  maxEmailLength,
  newPasswordSchema,
  openInvitationSchema,
  personNameSchema,
  personPageSchema,
  personPermissions,
  personSchema,
  updatePersonRequestSchema,
} from "./people.ts";
export type {
  AcceptInvitationRequest,
  Access,
  AccessRequest,
  AccessRole,
  CreatedInvitation,
  CreateInvitationRequest,
  DeactivatedPerson,
  DeactivatePersonQuery,
  Invitation,
  LookUpInvitationRequest,
  OpenInvitation,
  ParsedCreateInvitationRequest,
  Person,
  PersonPermission,
  UpdatePersonRequest,
} from "./people.ts";
export {
  changePasswordRequestSchema,
  principalAnswerSchema,
  sessionAnswerSchema,
  sessionListSchema,
  sessionSchema,
  signInErrors,
  signInMethodsSchema,
  signInRequestSchema,
} from "./sessions.ts";
export type {
  ChangePasswordRequest,
  ParsedSignInRequest,
  PrincipalAnswer,
  Session,
  SessionAnswer,
  SessionList,
  SignInError,
  SignInMethods,
  SignInRequest,
} from "./sessions.ts";

// Changes to follow
export { changeKindSchema, changeSchema } from "./changes.ts";
export type { Change, ChangeKind } from "./changes.ts";

// Connections and their actions
export {
  actionEffectSchema,
  actionPageSchema,
  actionSchema,
  catalogueActionPageSchema,
  catalogueActionsQuerySchema,
  changeConnectionQuerySchema,
  connectionChangesSchema,
  connectionHealthSchema,
  connectionPageSchema,
  connectionSchema,
  connectionSummarySchema,
  connectionTestSchema,
  connectionUseSchema,
  createConnectionRequestSchema,
  createdConnectionSchema,
  customApiIntegration,
  getConnectionQuerySchema,
  listConnectionsQuerySchema,
  listedConnectionSchema,
  inboundEventTypeSchema,
  integrationListSchema,
  integrationSchema,
  listActionsQuerySchema,
  privateConnectionIntegration,
  changePreviewSchema,
  previewChangeRequestSchema,
  updateConnectionRequestSchema,
  updatedConnectionSchema,
} from "./connections.ts";
export type {
  Action,
  CatalogueAction,
  CatalogueActionsQuery,
  Connection,
  ChangePreview,
  ConnectionChanges,
  ConnectionHealth,
  ConnectionSummary,
  ListedConnection,
  ConnectionTest,
  ConnectionUse,
  CreateConnectionRequest,
  CreatedConnection,
  InboundEventType,
  Integration,
  IntegrationList,
  ListActionsQuery,
  ParsedCreateConnectionRequest,
  ParsedListActionsQuery,
  PreviewChangeRequest,
  UpdateConnectionRequest,
  UpdatedConnection,
} from "./connections.ts";
export {
  connectionOAuthSchema,
  startAuthorizationRequestSchema,
  startedAuthorizationSchema,
} from "./connection-oauth.ts";
export type { ConnectionOAuth, StartAuthorizationRequest, StartedAuthorization } from "./connection-oauth.ts";
export {
  apiAuthenticationSchema,
  apiSpecSchema,
  connectionPreviewSchema,
  customApiSecretSchemas,
  customApiSettingsSchema,
  previewConnectionRequestSchema,
} from "./custom-api.ts";
export type {
  ApiAuthentication,
  ApiSpec,
  ConnectionPreview,
  CustomApiSettings,
  FormatForms,
  ParsedCustomApiSettings,
  PreviewConnectionRequest,
} from "./custom-api.ts";

// Private connections: as the dashboard sees them, and the client's protocol
export {
  privateConnectionClientsSchema,
  privateConnectionStatusSchema,
  privateConnectionTokenPrefixes,
  privateConnectionTokensSchema,
  regeneratedTokenSchema,
} from "./private-connection.ts";
export type {
  PrivateConnectionClient,
  PrivateConnectionClients,
  PrivateConnectionStatus,
  PrivateConnectionTokens,
  RegeneratedToken,
} from "./private-connection.ts";
export {
  functionDeclarationSchema,
  heartbeatReplySchema,
  heartbeatSchema,
  invocationContextSchema,
  invocationResultSchema,
  invocationSchema,
  manifestAcceptedSchema,
  manifestSchema,
  pollQuerySchema,
  pollReplySchema,
  resultSettlementSchema,
  resultsSettledSchema,
  resultsTogetherOf,
  resultsTogetherSchema,
} from "./private-connection-protocol.ts";
export type {
  FunctionDeclaration,
  Heartbeat,
  HeartbeatReply,
  Invocation,
  InvocationContext,
  InvocationResult,
  Manifest,
  ManifestAccepted,
  ParsedFunctionDeclaration,
  ParsedManifest,
  ParsedPollQuery,
  PollQuery,
  PollReply,
  ResultSettlement,
  ResultsSettled,
  ResultsTogether,
} from "./private-connection-protocol.ts";

// Triggers and their firings
export { maxMappingLength, triggerKinds, triggerSourceSchema } from "./trigger-source.ts";
export type { TriggerKind } from "./trigger-source.ts";
export type {
  CatchUp,
  Dedupe,
  EventSource,
  GivenDedupe,
  GivenEventSource,
  GivenHmacAuthentication,
  GivenInboundAuthentication,
  GivenScheduleSource,
  GivenTriggerSource,
  GivenWebhookSource,
  HmacAuthentication,
  InboundAuthentication,
  IntegrationSource,
  OtherDedupe,
  ScheduleSource,
  SecretAuthentication,
  TriggerSource,
  WebhookSource,
} from "./trigger-source-types.ts";
export { runTriggerKinds, runTriggerSchema } from "./run-trigger.ts";
export type { RunTrigger } from "./run-trigger.ts";
export {
  backfilledTriggerSchema,
  backfillTriggerRequestSchema,
  createdTriggerSchema,
  createTriggerRequestSchema,
  firedTriggerSchema,
  fireTriggerRequestSchema,
  listTriggersQuerySchema,
  pauseTriggerRequestSchema,
  previewTriggerRequestSchema,
  rotatedTriggerSecretSchema,
  scheduledTimeSchema,
  testTriggerRequestSchema,
  triggerPageSchema,
  triggerPreviewSchema,
  triggerProblemSchema,
  triggerSchema,
  triggerTestSchema,
  updateTriggerRequestSchema,
} from "./triggers.ts";
export type {
  BackfilledTrigger,
  BackfillTriggerRequest,
  CreatedTrigger,
  CreateTriggerRequest,
  FiredTrigger,
  FireTriggerRequest,
  ListTriggersQuery,
  ParsedCreateTriggerRequest,
  ParsedUpdateTriggerRequest,
  PauseTriggerRequest,
  PreviewTriggerRequest,
  RotatedTriggerSecret,
  ScheduledTime,
  TestTriggerRequest,
  Trigger,
  TriggerPreview,
  TriggerProblem,
  TriggerTest,
  UpdateTriggerRequest,
} from "./triggers.ts";
export {
  firingDetailsSchema,
  firingPageSchema,
  firingReasons,
  firingSchema,
  firingStatuses,
  getFiringQuerySchema,
  listFiringsQuerySchema,
} from "./firings.ts";
export type { Firing, FiringDetails, FiringReason, ListFiringsQuery } from "./firings.ts";
