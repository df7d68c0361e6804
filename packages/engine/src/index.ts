// The engine
export { createEngine } from "./engine.ts";
export type { Engine } from "./engine.ts";
export type { EngineOptions, WorkerOptions } from "./engine-options.ts";
export { masterKeyFile } from "./secrets/master-key-file.ts";

// Integrations from code
export { defineAction, defineIntegration } from "./integrations/define-integration.ts";
export type {
  ActionContext,
  ActionDefinition,
  DefineAction,
  IntegrationDefinition,
} from "./integrations/define-integration.ts";
export type { Action, ActionEffect, CallAnswer, CallContext, Integration } from "./integrations/integration.ts";
export { ActionError } from "./integrations/action-error.ts";
export type { ActionErrorOptions, ActionFailure } from "./integrations/action-error.ts";
export { OutgoingError } from "./outgoing/outgoing-error.ts";
export type { OutgoingOptions } from "./outgoing/outgoing.ts";
export type { GuardedFetch } from "./outgoing/guarded-fetch.ts";

// The rooms
export type { Procedures, PublishRequest } from "./procedures/procedures.ts";
export type { RunOutcome, RunRecordView, Runs, RunView, SetAsideRun, WaitOptions } from "./runs/runs.ts";
export type { StartedRun } from "./runs/start-run.ts";
export type { StartRequest } from "./runs/prepare-run.ts";
export type { AttemptRecord, ReviewRecord, StepRecord } from "./journal/run-record.ts";
export type { Review, ReviewSummary, Reviews } from "./reviews/reviews.ts";
export type { Decided, DecideRequest } from "./reviews/decide.ts";
export type { Connection, Connections, NewConnection } from "./connections/connections.ts";
export type { NewWebhook, Webhook, Webhooks } from "./events/webhooks.ts";

// Proof
export { verifyExport } from "./audit/verify-export.ts";
export type { ExportVerdict } from "./audit/verify-export.ts";
export type { Audit } from "./audit/audit.ts";
export type { AuditProblem, AuditReport } from "./audit/audit-report.ts";
export type { WorkspaceChange } from "./audit/changes.ts";
export type { RunExport } from "./audit/export-format.ts";
export type { AuditPublicKey, SignedStatement } from "./audit/signature.ts";
export type { VerifyRequest } from "./audit/verify-workspace.ts";

// Who acts
export type { Permission, Principal } from "./access/principal.ts";

// Ports
export type { Clock } from "./ports/clock.ts";
export type { Random } from "./ports/random.ts";
export type { Log, LogFields } from "./ports/log.ts";
export { systemClock } from "./ports/system-clock.ts";
export { systemRandom } from "./ports/system-random.ts";

// Writing a document, and what errors look like
export { defineProcedure } from "@procedo/procedure";
export { ProcedoError } from "@procedo/contract";
export { z } from "zod";
