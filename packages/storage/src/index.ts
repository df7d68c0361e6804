// The port
export type { Change, RecordChange, Storage } from "./storage.ts";
export type { Page, PageRequest, Scope } from "./scope.ts";
export type {
  ClaimedRun,
  ClaimResult,
  CommitResult,
  JournalQuery,
  JournalRow,
  KeyHolder,
  RunCommit,
  RunCreation,
  RunPlace,
  RunRow,
  RunStore,
  StoredOutput,
} from "./runs.ts";
export type { NewReview } from "./new-review.ts";
export type { NewEvent } from "./new-event.ts";
export type { RunQuery, RunStatus } from "./run-query.ts";
export { afterPrefix, foundRows, searchPosition, searchShape } from "./search.ts";
export type { FoundRow, SearchPosition } from "./search.ts";
export type { RunHead, RunHeadQuery } from "./heads.ts";
export { cancelledError } from "./run-tally.ts";
export type { EndedRuns, ProcedureTally, RunAttention, RunTally, RunTallyRequest } from "./run-tally.ts";
export type { KindTally, ReviewsOfProcedure, ReviewTally, ReviewTallyRequest } from "./review-tally.ts";
export type { Notification } from "./notification.ts";
export type { InboxStore, Post, PostResult } from "./inbox.ts";
export type {
  DecideResult,
  NewDecision,
  OpenReviewRow,
  ReviewQuery,
  ReviewRow,
  ReviewStatus,
  ReviewStore,
  ShownReview,
} from "./reviews.ts";
export { lapsedKeyOf, maxClientsKept } from "./invocations.ts";
export type { NewInvocation } from "./new-invocation.ts";
export type {
  ClientPresence,
  InvocationBacklog,
  InvocationLease,
  InvocationRow,
  InvocationSettlement,
  InvocationStatus,
  InvocationStore,
  LeasedInvocation,
  NewResult,
} from "./invocations.ts";
export type { BudgetAmount, BudgetSettlement, BudgetStore, HeldAmount, Reservation, ReserveResult } from "./budgets.ts";
export type { WorkerStore } from "./workers.ts";
export { clockToleranceMs } from "./clock-tolerance.ts";
export { resendCursorQuery, webhookEventKey } from "./deliveries.ts";
export { maxExamined } from "./examined.ts";
export type { ExaminedEnd } from "./examined.ts";
export {
  deliveryCursorQuery,
  firingCursorQuery,
  reviewCursorQuery,
  runCursorQuery,
  wantedStatuses,
} from "./list-queries.ts";
export type {
  ClaimedDelivery,
  ClaimLimits,
  DeliveryAttempt,
  DeliveryClaim,
  DeliveryQuery,
  DeliveryRow,
  DeliverySettlement,
  DeliveryStatus,
  DeliveryStore,
  FailingMark,
  NewDeliveryAttempt,
  ResendResult,
  ResendUndeliveredResult,
  SettleResult,
  UndeliveredStatus,
} from "./deliveries.ts";
export { triggerEventKey } from "./incoming-events.ts";
export type {
  AddedFiring,
  ClaimedEvent,
  ClaimedFiring,
  FiringClaim,
  FiringQuery,
  FiringRow,
  FiringSettlement,
  FiringStatus,
} from "./firings.ts";
export type { EventBatch, EventContent, EventFacts, IncomingEvent, TakeResult } from "./incoming-events.ts";
export type {
  DueSchedule,
  DueSchedules,
  Overlap,
  ScheduleAdvance,
  ScheduledFiring,
  ScheduleState,
  TriggerGate,
  TriggerState,
  TriggerStore,
} from "./triggers.ts";
export type { NewVersion, ProcedureRow, ProcedureStore, VersionRow, VersionSummary } from "./procedures.ts";
export type {
  NewRecord,
  PutResult,
  RecordAddress,
  RecordKind,
  RecordQuery,
  RecordRow,
  RecordStore,
  RecordUse,
} from "./records.ts";
export { maxSessionsListed } from "./sessions.ts";
export type { SessionRow, SessionStore, SignInFailures } from "./sessions.ts";
export type { AuditEntry, AuditPage, AuditSearch, AuditStore } from "./audit.ts";
export type { ArchivedHead, ArchiveResult, NewStub, RetentionStore, RunStub } from "./retention.ts";
export { toStorable } from "./storable.ts";

// The in-memory adapter
export { createMemoryStorage } from "./memory/memory-storage.ts";
export type { MemoryStorageOptions } from "./memory/memory-storage.ts";

// For adapters; the engine also uses the cursors and `decidedBody`
export { decidedBody } from "./decided-body.ts";
export { createChangeFeed } from "./change-feed.ts";
export type { ChangeFeed } from "./change-feed.ts";
export { decodeCursor, encodeCursor } from "./cursor.ts";
export type { CursorPosition, CursorQuery } from "./cursor.ts";
export { cutPage } from "./cut-page.ts";
export { dayOf, tallyRuns } from "./run-tally.ts";
export type { TallyCell } from "./run-tally.ts";
export { tallyReviews } from "./review-tally.ts";
export type { OpenReviews } from "./review-tally.ts";
export { searchAudit } from "./audit-search.ts";
export { amountsHeld, assertReservation, judgeReservation, settledChanges } from "./reservations.ts";
export type { KnownReservation } from "./reservations.ts";
export { groupCommit } from "./group-commit.ts";
export type { GroupCommit, GroupCommitClock, GroupCommitOptions, GroupCommitTimeLimit } from "./group-commit.ts";
export { deliveryIdOf } from "./delivery-id.ts";
export { eventDedupeKey, firingIdOf, scheduledDedupeKey } from "./firing-id.ts";
export { assertGate, judgeGate } from "./judge-gate.ts";
export type { GateLoad, GateVerdict } from "./judge-gate.ts";
export { assertStorable, assertStorableCommit, isStorableCommit } from "./storable.ts";
