// The engine
export { createEngine } from "./create-engine.ts";
export type { Engine } from "./engine.ts";
export type { EngineOptions, WorkerOptions } from "./engine-options.ts";
export { masterKeyFile } from "./secrets/master-key-file.ts";
export { createRedactor } from "./secrets/redact.ts";
export type { Redactor } from "./secrets/redact.ts";

// Integrations from code
export { defineAction, defineIntegration } from "./integrations/define-integration.ts";
export type { ActionContext, ActionDefinition, DefineAction } from "./integrations/action-definition.ts";
export type { IntegrationDefinition } from "./integrations/define-integration.ts";
export { isSignature, signedAtMs } from "./integrations/signatures.ts";
export type { SignatureForm } from "./integrations/signatures.ts";
export type { AccountContext, ServiceAccount } from "./integrations/account-context.ts";
export type { OAuthClient, OAuthClientOf, TokenRefusal } from "./integrations/oauth-client.ts";
export { strictJson } from "./json/strict-json.ts";
export type {
  Action,
  ActionChanges,
  ActionEffect,
  ActionOperation,
  CallAnswer,
  CallContext,
  CallLimits,
  CodedIntegration,
  ConnectionFields,
  DocumentedConnection,
  DocumentedIntegration,
  Exchange,
  GivenConnection,
  Integration,
  PreparedConnection,
  SecretField,
  TestAnswer,
  TestContext,
} from "./integrations/integration.ts";
export type { Secrets } from "./integrations/secrets-by-name.ts";
export { ActionAnswer } from "./integrations/action-answer.ts";
export type { ActionAnswerOptions } from "./integrations/action-answer.ts";
export { ActionError } from "./integrations/action-error.ts";
export type { ActionErrorOptions, ActionFailure } from "./integrations/action-error.ts";
export { createNetworks, isAddress, isNetwork } from "./egress/address.ts";
export { EgressError } from "./egress/egress-error.ts";
export { createEgress } from "./egress/egress.ts";
export type { Egress, EgressOptions, EgressRequest, EgressResponse } from "./egress/egress.ts";
export type { Destination } from "./egress/connector.ts";
export type { EgressConnect, GuardedConnection } from "./egress/open-connection.ts";
export { guardedConnect } from "./egress/guarded-connect.ts";
export type { GuardedConnect } from "./egress/guarded-connect.ts";
export { guardedFetch } from "./egress/guarded-fetch.ts";
export type { GuardedFetch, GuardedFetchDefaults } from "./egress/guarded-fetch.ts";

// The modules
export type { Procedures } from "./procedures/procedures.ts";
export type { DiscardDraftRequest, Draft, DraftState, SavedDraft, SaveDraftRequest } from "./procedures/drafts.ts";
export type { PublishedVersion, PublishRequest } from "./procedures/publish.ts";
export type {
  ProcedureQuery,
  ProcedureSummary,
  ProcedureView,
  Version,
  VersionSummary,
} from "./procedures/read-procedures.ts";
export type { ExecuteOptions, ListedRun, RunRecordView, Runs, QuarantinedRun, WaitOptions } from "./runs/runs.ts";
export type { RunView } from "./runs/run-view.ts";
export type { RunOutcome } from "./runs/run-outcome.ts";
export type { StartedRun } from "./runs/start-run.ts";
export type { StartRequest } from "./runs/prepare-run.ts";
export type {
  AskRecord,
  AttemptRecord,
  AuthorizationWait,
  CallRecord,
  ReviewRecord,
  StepRecord,
  TurnRecord,
  TurnStop,
} from "./journal/step-record.ts";
export type { ModelReply, PromptMessage, RecordedExchange, RecordedMessage, ReplyPart } from "@procedo/procedure";
export type { SizedStep, StepBytes } from "./journal/step-sizes.ts";
export type { LargeReads } from "./journal/large-reads.ts";
export type { CallOperation, Review, ReviewDetails, ReviewSummary, Reviews } from "./reviews/reviews.ts";
export type { MayDecide } from "./reviews/decision-rights.ts";
export type { ListedCall } from "./reviews/review-row.ts";
export type { Decided, DecideRequest } from "./reviews/decide.ts";
export type { NewConnection } from "./connections/new-connection.ts";
export type { Connections } from "./connections/connections.ts";
export type { ConnectionOAuth } from "./connections/connection-oauth.ts";
export type { Authorizations } from "./authorizations/authorizations.ts";
export type { FinishedAuthorization, Redirected } from "./authorizations/finish-authorization.ts";
export type { OutsideOptions } from "./egress/outside.ts";
export type { ShownOnce } from "./audit/shown-once.ts";
export type { CatalogueAction, CatalogueQuery } from "./connections/action-catalogue.ts";
export type { DescribedIntegration } from "./connections/describe-integrations.ts";
export type { ListedAction } from "./connections/listed-action.ts";
export type { ChangePreview } from "./connections/preview-change.ts";
export type { ConnectionPreview } from "./connections/preview-connection.ts";
export type {
  Connection,
  ConnectionHealth,
  ConnectionPlace,
  SavedConnection,
} from "./connections/connection-record.ts";
export type { ChangedConnection, ConnectionUpdate } from "./connections/change-connection.ts";
export type { ClientSelf, PrivateClient } from "./private-connections/private-client.ts";
export type {
  PolledClient,
  PrivateConnections,
  PrivateConnectionState,
} from "./private-connections/private-connections.ts";
export type { ConnectionUse } from "./connections/connection-uses.ts";
export type { NewWebhook, WebhookAddress, WebhookChanges } from "./webhooks/new-webhook.ts";
export type { Webhooks } from "./webhooks/webhooks.ts";
export type { ResentDeliveries } from "./webhooks/resend-since.ts";
export type { AfterRestore } from "./archive/after-restore.ts";
export type { Webhook } from "./webhooks/webhook-record.ts";
export type { Delivery, DeliveryAttempt, DeliveryDetails } from "./webhooks/delivery.ts";

// Triggers
export type {
  FiringDetailsView,
  FiringView,
  MappingTest,
  NewTrigger,
  TriggerAddress,
  TriggerChanges,
  TriggerFields,
  TriggerHealth,
  TriggerInbound,
  TriggerPause,
  Triggers,
  TriggerView,
  UnfitTrigger,
} from "./triggers/triggers.ts";
export type { NextTime } from "./schedules/next-times.ts";
export type { Inbound, InboundAnswer, InboundRequest } from "./triggers/inbound.ts";
export { environmentOfAddress } from "./integrations/inbound-address.ts";
export type {
  InboundEvent,
  InboundEventType,
  InboundHandshake,
  InboundIntegration,
  InboundMessage,
  ListRequest,
} from "./integrations/inbound-integration.ts";

// Numbers
export type {
  EnvironmentSummary,
  ProcedureNumbers,
  SummarizedProcedure,
  Summary,
  SummaryAttention,
  SummaryDay,
} from "./summary/summary.ts";

// Models
export type { AgentModel, AgentModels, LanguageModel, ModelPurpose } from "./models/models.ts";

// Proof
export { verifyExport } from "./audit/verify-export.ts";
export type { ExportVerdict } from "./audit/verify-export.ts";
export type { Audit } from "./audit/audit.ts";
export type { AuditProblem, AuditReport } from "./audit/audit-report.ts";
export type { WorkspaceChange } from "./audit/changes.ts";
export type { ChangeQuery } from "./audit/list-changes.ts";
export type { AuditExport } from "@procedo/contract";
export type { AuditPublicKey, SignedStatement } from "./audit/signature.ts";
export type { VerifyRequest } from "./audit/verify-ports.ts";

// Archiving
export type { ArchiveReport, ArchiveRequest, Retention } from "./archive/retention.ts";
export type { KeptRun, RunArchive } from "./archive/archive-file.ts";

// Backtests
export type { Backtest, BacktestRequest, BacktestRuns } from "./backtest/backtest.ts";
export type { BacktestedEnd, BacktestedRun, BacktestReport } from "./backtest/tally.ts";
export type { BacktestDifference } from "./backtest/compare-decisions.ts";

// Access
export { authorize } from "./access/principal.ts";
export type { Principal } from "./access/principal.ts";
export type { HeldPrincipal } from "./access/held-principal.ts";
export type { HeldKey, KeyOrigin, Keys, NewApiKey } from "./keys/keys.ts";
export type { ApiKey } from "./keys/key-record.ts";
export type { Access, AccessChanges } from "./people/access-roles.ts";
export type { People } from "./people/people.ts";
export { permissionsOf } from "./people/access-roles.ts";
export type { Invitation, Person } from "./people/person.ts";
export type { Acceptance, NewInvitation } from "./people/invitations.ts";
export type { VerifiedAccount } from "./people/join-verified.ts";
export type { PersonChanges } from "./people/change-person.ts";
export type { Identity } from "./people/person-record.ts";
export type { HeldSession, Session, Sessions, SignedIn, SignInOrigin } from "./people/session.ts";
export type { AccessRole, Permission, PersonPermission } from "@procedo/contract";

// Live pages
export type { LiveChanges, LiveEvent, LiveReader } from "./live/live-changes.ts";
export type { LiveHint, LiveKind } from "./live/live-hint.ts";

// Long tasks beside other work
export { createSlices } from "./journal/slices.ts";
export type { Slices } from "./journal/slices.ts";

// Ports
export type { Clock } from "./ports/clock.ts";
export type { Random } from "./ports/random.ts";
export { consoleLog, silentLog } from "./ports/log.ts";
export type { Log, LogFields } from "./ports/log.ts";
export type { Observe } from "./ports/observe.ts";
export type { Entry } from "@procedo/procedure";
export { systemClock } from "./ports/system-clock.ts";
export { systemRandom } from "./ports/system-random.ts";

// Documents and errors
export { defineProcedure } from "@procedo/procedure";
export { ProcedoError } from "@procedo/contract";
export { z } from "zod";
