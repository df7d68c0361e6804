/*
 * The members of every request to the engine. The compiler compares each table with its type: a member that is added to a
 * type must be added here.
 */
import type { Keys } from "../keys/keys.ts";
import type { Audit } from "../audit/audit.ts";
import type { Authorizations } from "../authorizations/authorizations.ts";
import type { Connections } from "../connections/connections.ts";
import type { Engine } from "../engine.ts";
import type { ApiKey } from "../keys/key-record.ts";
import type { People } from "../people/people.ts";
import type { Sessions } from "../people/session.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import type { PrivateConnections } from "../private-connections/private-connections.ts";
import type { Procedures } from "../procedures/procedures.ts";
import type { Retention } from "../archive/retention.ts";
import type { Reviews } from "../reviews/reviews.ts";
import type { Runs } from "../runs/runs.ts";
import type { Triggers } from "../triggers/triggers.ts";
import type { Summary } from "../summary/summary.ts";
import type { RequestTables } from "./check-requests.ts";

const page = { limit: "required", cursor: "optional" } as const;
const runAddress = { environment: "required", runId: "required" } as const;
const connection = { environment: "required", connectionId: "required" } as const;
const webhook = { environment: "required", webhookId: "required" } as const;
const by = { by: "required" } as const;
const outside = { outside: "optional" } as const;
const isAwaited = { isAwaited: "optional" } as const;
const onRead = { onRead: "optional" } as const;
const largeReads = { beforeLargeRead: "optional", ...onRead } as const;

const startRequest = {
  procedureId: "required",
  environment: "required",
  data: "required",
  version: "optional",
  idempotencyKey: "optional",
  isManual: "optional",
  ...by,
} as const;

const waitOptions = { timeoutMs: "optional", signal: "optional", waitThroughReviews: "optional" } as const;

export const procedureRequests = {
  validate: [{ document: "required", procedureId: "optional", environments: "optional" }, outside],
  saveDraft: [
    { procedureId: "required", document: "required", revision: "required", basedOn: "optional", ...by },
    outside,
  ],
  discardDraft: [{ procedureId: "required", revision: "required", ...by }],
  publish: [
    {
      document: "optional",
      procedureId: "optional",
      revision: "optional",
      basedOn: "optional",
      version: "required",
      defaultIn: "optional",
      environment: "optional",
      ifExists: "optional",
      ...by,
    },
    outside,
  ],
  setDefault: [{ procedureId: "required", environment: "required", version: "required", ...by }, outside],
  version: [{ procedureId: "required", version: "required" }],
  versions: [{ procedureId: "required", ...page }],
  get: [{ procedureId: "required" }],
  list: [{ search: "optional", ...page }],
} as const satisfies RequestTables<Procedures>;

export const runRequests = {
  start: [startRequest],
  execute: [startRequest, { ...waitOptions, started: "optional" }],
  wait: [runAddress, waitOptions],
  poll: [runAddress, largeReads],
  environmentOf: [{ runId: "required" }],
  get: [runAddress, onRead],
  timeline: [runAddress, onRead],
  step: [{ ...runAddress, nodeId: "required", visit: "required" }, onRead],
  journal: [runAddress],
  list: [
    {
      environment: "required",
      status: "optional",
      procedureId: "optional",
      version: "optional",
      startedBy: "optional",
      search: "optional",
      needsAttention: "optional",
      triggerId: "optional",
      fromMs: "optional",
      toMs: "optional",
      ...page,
    },
  ],
  cancel: [{ ...runAddress, reason: "optional", ...by }],
  quarantinedRuns: [],
} as const satisfies RequestTables<Runs>;

export const reviewRequests = {
  decide: [
    {
      ...runAddress,
      approved: "required",
      outputs: "optional",
      rejectionReason: "optional",
      idempotencyKey: "required",
      reviewId: "optional",
      reviewDigest: "optional",
      ...by,
    },
  ],
  get: [
    { environment: "required", reviewId: "required" },
    { ...largeReads, ...outside },
  ],
  open: [runAddress, largeReads],
  ofRun: [runAddress],
  list: [
    {
      environment: "required",
      status: "optional",
      procedureId: "optional",
      kind: "optional",
      closedFromMs: "optional",
      search: "optional",
      order: "optional",
      decidableBy: "optional",
      ...page,
    },
  ],
  mayDecide: [{ review: "required", ...by }],
} as const satisfies RequestTables<Reviews>;

export const connectionRequests = {
  create: [
    {
      name: "required",
      integration: "required",
      environment: "optional",
      settings: "optional",
      secrets: "optional",
      ...by,
    },
    { ...outside, ...isAwaited },
  ],
  get: [connection],
  list: [{ environment: "required", ...page }],
  update: [
    { ...connection, name: "optional", settings: "optional", secrets: "optional", force: "optional", ...by },
    outside,
  ],
  remove: [{ ...connection, force: "optional", ...by }],
  test: [{ ...connection, ...by }, outside],
  preview: [{ integration: "required", settings: "required", environment: "required", ...by }, outside],
  previewChange: [{ ...connection, settings: "optional", secrets: "optional", ...by }, outside],
  actions: [{ ...connection, search: "optional", ...page }, outside],
  action: [{ ...connection, name: "required" }, outside],
  catalogue: [{ environment: "required", search: "optional", connection: "optional", ...page }, outside],
  integrations: [],
  document: [connection],
  usedBy: [connection],
  useCounts: [{ environment: "required" }],
} as const satisfies RequestTables<Connections>;

/** The methods for programs. Browsers use `http` only. */
export const authorizationRequests = {
  begin: [{ ...connection, ...by, returnTo: "optional", replace: "optional" }],
  refresh: [{ ...connection, ...by }, outside],
  revoke: [{ ...connection, ...by }, outside],
} as const satisfies RequestTables<Pick<Authorizations, "begin" | "refresh" | "revoke">>;

/** The methods for programs. Clients of the private-connection protocol use `http` only. */
export const privateConnectionRequests = {
  regenerateToken: [{ ...connection, ...by }, isAwaited],
  status: [connection],
} as const satisfies RequestTables<Pick<PrivateConnections, "regenerateToken" | "status">>;

export const webhookRequests = {
  create: [
    { url: "required", events: "required", environment: "required", name: "optional", isActive: "optional", ...by },
    { ...outside, ...isAwaited },
  ],
  get: [webhook],
  list: [{ environment: "required", ...page }],
  update: [{ ...webhook, url: "optional", events: "optional", name: "optional", isActive: "optional", ...by }, outside],
  rotate: [{ ...webhook, keepOldSecret: "optional", ...by }, isAwaited],
  remove: [{ ...webhook, ...by }],
  test: [{ ...webhook, event: "optional", ...by }],
  deliveries: [
    {
      ...webhook,
      status: "optional",
      event: "optional",
      runId: "optional",
      fromMs: "optional",
      toMs: "optional",
      ...page,
    },
  ],
  delivery: [{ ...webhook, deliveryId: "required" }],
  attempts: [{ ...webhook, deliveryId: "required" }],
  resend: [{ ...webhook, deliveryId: "required", ...by }],
  resendSince: [{ ...webhook, sinceMs: "required", statuses: "optional", cursor: "optional", ...by }],
} as const satisfies RequestTables<Webhooks>;

const triggerFields = {
  name: "optional",
  procedureId: "optional",
  version: "nullable",
  source: "optional",
  when: "nullable",
  input: "optional",
  overlap: "optional",
  maxOpenRuns: "nullable",
  pauseAfterFailures: "nullable",
} as const;
const trigger = { environment: "required", triggerId: "required" } as const;

export const triggerRequests = {
  create: [
    { ...triggerFields, environment: "required", name: "required", procedureId: "required", source: "required", ...by },
    isAwaited,
  ],
  get: [trigger],
  list: [
    {
      environment: "required",
      procedureId: "optional",
      kind: "optional",
      connection: "optional",
      state: "optional",
      ...page,
    },
  ],
  update: [{ ...trigger, ...triggerFields, revision: "optional", ...by }],
  remove: [{ ...trigger, ...by }],
  preview: [{ source: "required" }],
  unfit: [{ environment: "required", procedureId: "required" }],
  test: [{ ...trigger, event: "nullable", headers: "optional", firingId: "optional", ...by }],
  testMapping: [
    {
      environment: "required",
      procedureId: "required",
      version: "nullable",
      source: "required",
      when: "nullable",
      input: "optional",
      event: "nullable",
      headers: "optional",
      ...by,
    },
  ],
  pause: [{ ...trigger, holdsEvents: "optional", reason: "optional", ...by }],
  resume: [{ ...trigger, ...by }],
  fire: [{ ...trigger, event: "nullable", data: "optional", idempotencyKey: "optional", ...by }],
  backfill: [{ ...trigger, fromMs: "required", toMs: "required", ...by }, outside],
  rotate: [{ ...trigger, ...by }, isAwaited],
  firings: [{ ...trigger, status: "optional", fromMs: "optional", toMs: "optional", ...page }],
  firing: [{ ...trigger, firingId: "required" }],
  refire: [{ ...trigger, firingId: "required", idempotencyKey: "optional", ...by }],
} as const satisfies RequestTables<Triggers>;

export const auditRequests = {
  exportRun: [runAddress, onRead],
  publicKey: [],
  changes: [{ afterSeq: "optional", limit: "optional" }],
  list: [
    {
      environment: "optional",
      withPeople: "optional",
      action: "optional",
      person: "optional",
      subject: "optional",
      fromMs: "optional",
      toMs: "optional",
      ...page,
    },
  ],
  verify: [{ kept: "optional", signal: "optional" }],
  latestCheckpoint: [],
} as const satisfies RequestTables<Audit>;

export const retentionRequests = {
  archive: [{ olderThanMs: "required", to: "required", pauseMs: "optional", signal: "optional", ...by }],
} as const satisfies RequestTables<Retention>;

export const keyRequests = {
  create: [
    {
      name: "required",
      environment: "required",
      permissions: "optional",
      roles: "optional",
      person: "optional",
      ...by,
    },
    isAwaited,
  ],
  list: [{ environment: "optional", ...page }],
  remove: [{ keyId: "required", ...by }],
} as const satisfies RequestTables<Omit<Keys, "authenticate" | "hold">>;

const person = { personId: "required" } as const;
const origin = { address: "optional", userAgent: "optional" } as const;

export const peopleRequests = {
  isSetUp: [],
  list: [page],
  get: [person],
  update: [{ ...person, name: "optional", access: "optional", groups: "optional", isActive: "optional", ...by }],
  deactivate: [{ ...person, removeKeys: "optional", ...by }],
  invite: [{ email: "required", access: "required", groups: "optional", expiresInMs: "optional", ...by }, isAwaited],
  resetPassword: [{ ...person, ...by }, isAwaited],
  invitations: [page],
  withdraw: [{ invitationId: "required", ...by }],
  lookUp: [{ token: "required" }],
  accept: [{ token: "required", name: "required", email: "optional", password: "optional", identity: "optional" }],
  joinVerified: [{ identity: "required", email: "required", name: "required", otherwise: "optional" }],
  setUpToken: [],
} as const satisfies RequestTables<People<ApiKey>>;

export const sessionRequests = {
  signIn: [{ email: "required", password: "required", ...origin }, isAwaited],
  signInAs: [{ personId: "optional", identity: "optional", ...origin }, isAwaited],
  list: [person],
  end: [{ ...person, sessionId: "required", ...by }],
  endOthers: [{ ...person, sessionId: "optional", ...by }],
  changePassword: [{ ...person, sessionId: "required", current: "required", next: "required" }, isAwaited],
} as const satisfies RequestTables<Omit<Sessions, "hold">>;

export const summaryRequests = {
  read: [{ environment: "required", ...by }],
  ofProcedures: [{ environment: "required", procedureIds: "required" }],
} as const satisfies RequestTables<Summary>;

export const engineRequests = {
  backtest: [
    {
      procedureId: "required",
      environment: "required",
      version: "optional",
      document: "optional",
      runs: "optional",
      models: "optional",
      strict: "optional",
      assumeApproved: "optional",
      keep: "optional",
      eachRun: "optional",
      signal: "optional",
    },
  ],
  ready: [],
  start: [],
  markRestored: [{ ...by, resendWebhooks: "optional" }],
  stop: [{ drainMs: "optional" }],
} as const satisfies RequestTables<Pick<Engine, "backtest" | "ready" | "start" | "markRestored" | "stop">>;
