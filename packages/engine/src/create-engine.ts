import { ProcedoError, type Environment } from "@procedo/contract";
import { createKeys } from "./keys/keys.ts";
import { approvedOperation } from "./calls/approved-operation.ts";
import { createAudit } from "./audit/audit.ts";
import { createAuditLog } from "./audit/audit-log.ts";
import { createAuthorizations } from "./authorizations/authorizations.ts";
import { createBacktest } from "./backtest/backtest.ts";
import { createActionMetadata } from "./connections/action-metadata.ts";
import type { StaleConnection } from "./connections/connection-record.ts";
import { createConnectionNames } from "./connections/connection-names.ts";
import { createConnections } from "./connections/connections.ts";
import { createInboundTraffic } from "./connections/inbound-traffic.ts";
import { createReceivers } from "./deliveries/receivers.ts";
import { createSender } from "./deliveries/sender.ts";
import { readEngineOptions, type EngineOptions } from "./engine-options.ts";
import { countFailingWebhooks } from "./webhooks/failing-webhooks.ts";
import { createWebhooks } from "./webhooks/webhooks.ts";
import { createGrants } from "./grants/grants.ts";
import { createSlices } from "./journal/slices.ts";
import { hintOfChange, hintOfDecision, hintOfDeliveries, hintOfRow, hintOfVersion } from "./live/hints.ts";
import { createLiveHub } from "./live/live-changes.ts";
import { createEgress } from "./egress/egress.ts";
import { createStorageWrites } from "./ports/storage-writes.ts";
import { createIds } from "./ports/ids.ts";
import { errorText } from "./ports/log.ts";
import { harmless } from "./ports/observe.ts";
import { createConnectionUses } from "./procedures/connection-uses.ts";
import { createManifests } from "./connections/private/manifests.ts";
import { createClients } from "./private-connections/clients.ts";
import { createDispatcher } from "./private-connections/dispatcher.ts";
import { createPrivateConnections } from "./private-connections/private-connections.ts";
import { createRegisteredFunctions } from "./connections/private/registered-functions.ts";
import { createPeople } from "./people/people.ts";
import { createRoster } from "./people/roster.ts";
import { createProcedures } from "./procedures/procedures.ts";
import { createVersions } from "./procedures/versions.ts";
import { createOutputsCheck } from "./reviews/check-outputs.ts";
import { checkedEngine } from "./requests/checked-engine.ts";
import { createRetention } from "./archive/retention.ts";
import { afterRestore, type AfterRestorePorts } from "./archive/after-restore.ts";
import { createReviews } from "./reviews/reviews.ts";
import { createRuns, type RunPorts, type QuarantinedRun } from "./runs/runs.ts";
import { readInput } from "./runs/read-input.ts";
import { startFiring } from "./runs/start-run.ts";
import { createStartLimiter } from "./runs/start-limiter.ts";
import { createWaiters } from "./runs/waiters.ts";
import { createCallLimiter } from "./calls/call-limiter.ts";
import { createWorker } from "./runs/worker.ts";
import { createSummary } from "./summary/summary.ts";
import { checkMasterKey } from "./secrets/check-master-key.ts";
import { deriveKey } from "./secrets/derive-key.ts";
import { keyedStorage } from "./secrets/keyed-storage.ts";
import { createSecretBox } from "./secrets/secret-box.ts";
import { skipTimes } from "./triggers/after-restore.ts";
import { createInbound } from "./triggers/create-inbound.ts";
import { createPump } from "./triggers/pump.ts";
import { createStoredTriggers } from "./triggers/stored-triggers.ts";
import { createTriggers } from "./triggers/create-triggers.ts";
import { triggerKind } from "./triggers/trigger-record.ts";
import { triggersOfConnection } from "./triggers/trigger-uses.ts";
import { followStorage } from "./follow-storage.ts";
import type { Engine } from "./engine.ts";

/** The default time limit of a call. */
const defaultDrainMs = 60_000;

/**
 * Wires the ports into the engine's modules.
 *
 * @throws ProcedoError `invalid_configuration`
 * @example
 * ```ts
 * import { createEngine, masterKeyFile } from "@procedo/engine";
 * import { SqliteStorage } from "@procedo/storage-sqlite";
 *
 * const storage = await SqliteStorage.open({ path: "procedo.sqlite" });
 * const engine = createEngine({ storage, integrations: [], masterKey: await masterKeyFile("procedo.key") });
 * await engine.start();
 * ```
 */
export function createEngine(options: EngineOptions): Engine {
  const settings = readEngineOptions(options);
  const { integrations, masterKey, workspace, limits, clock, random, log } = settings;
  const ids = createIds(clock, random);
  const chainKey = deriveKey(masterKey, "journal");
  const writes = createStorageWrites({ clock, records: settings.storage.records }, workspace);
  const storage = keyedStorage(settings.storage, () => checkMasterKey(settings.storage, workspace, chainKey), writes);
  const secretBox = createSecretBox({
    keys: [{ id: "k1", key: deriveKey(masterKey, "secrets") }],
    random: (size) => random.bytes(size),
  });
  const egress = createEgress(settings.egress);
  const auditLog = createAuditLog({ audit: storage.audit, clock, chainKey }, workspace);
  const versions = createVersions({ storage, workspace });
  const slices = createSlices(clock);
  const manifests = createManifests({ storage, workspace });
  const registered = createRegisteredFunctions({ storage, workspace, clock, manifests });
  const workerId = ids("wrk");
  const grants = createGrants({ storage, workspace, secretBox, audit: auditLog, egress, clock, log, holder: workerId });
  const { traffic: connectionTraffic, ...connecting } = createConnections({
    storage,
    workspace,
    integrations,
    secretBox,
    egress,
    audit: auditLog,
    uses: {
      ...createConnectionUses({ storage, workspace, slices }),
      ofTriggers: (environment, name) =>
        triggersOfConnection({ records: storage.records, workspace }, environment, name),
    },
    ids,
    clock,
    random,
    log,
    manifests,
    registered,
    grants,
  });
  const { connections } = connecting;
  const clients = createClients({ storage, workspace, clock, manifests });
  const dispatcher = createDispatcher({
    storage,
    workspace,
    clock,
    random,
    log,
    check: (client, manifest) => clients.functionsOf(client, manifest),
  });
  const roster = createRoster(storage.records, workspace);
  const access = { storage, workspace, roster, audit: auditLog, ids, random, clock };
  const {
    keys,
    forget: forgetKeys,
    forgetCached: forgetCachedKeys,
    keysOf,
    removeKeys,
    stop: stopKeys,
  } = createKeys(access);
  const {
    people,
    sessions,
    recheck: recheckSessions,
    endAccess,
    stop: stopPeople,
  } = createPeople({ ...access, log, keysOf, removeKeys });
  const waiters = createWaiters();
  const quarantined = new Map<string, QuarantinedRun>();

  const observe = harmless(settings.observe, log);
  const live = createLiveHub(clock, Buffer.from(random.bytes(9)).toString("hex"));
  const unforced: RunPorts["unforced"] = new WeakSet();
  const runPorts: RunPorts = {
    slices,
    storage,
    workspace,
    clock,
    random,
    ids,
    log,
    observe: (run, entries) => {
      hintOfRow(live, run, entries);
      observe(run, entries);
    },
    limits,
    models: settings.models,
    unforced,
    chainKey,
    versions,
    waiters,
    triggeredEnd: (run) => pump.runEnded(run),
    egress,
    reservePoll: (environment, invocation) => dispatcher.reserve(environment, invocation),
    resolveConnection: connecting.resolve,
    knownConnection: connecting.known,
    callLimiter: createCallLimiter(clock, settings.worker.capacity),
    startLimiter: createStartLimiter(),
    sendWindowMs: settings.worker.sendWindowMs,
    loadProcedure: (procedureId, version) => versions.load(procedureId, version),
    quarantine: (runId, error) => void quarantined.set(runId, { runId, error: errorText(error), atMs: clock.now() }),
  };
  const worker = createWorker(runPorts, { workerId, ...settings.worker });
  const claimFor = (environment: Environment): string | undefined =>
    worker.hasRoom(environment) ? worker.workerId : undefined;
  const privateCalls = createPrivateConnections({
    storage,
    workspace,
    audit: auditLog,
    clock,
    random,
    log,
    limits: { depth: limits.depth, bytes: limits.stepBytes },
    manifests,
    registered,
    clients,
    dispatcher,
    resumer: { claimFor, adopt: (claim) => worker.adopt(claim), resumeWith: (result) => worker.resumeWith(result) },
  });
  const receivers = createReceivers({ storage, workspace, secretBox });
  const sender = createSender(
    {
      storage,
      workspace,
      clock,
      random,
      log,
      egress,
      audit: auditLog,
      receivers,
      onSettled: (settled) => hintOfDeliveries(live, settled),
    },
    workerId,
  );
  const triggerTraffic = createInboundTraffic({ records: storage.records, workspace, kind: triggerKind, clock });
  const triggerPorts = {
    storage,
    workspace,
    integrations,
    roster,
    versions,
    triggers: createStoredTriggers({ storage, workspace, audit: auditLog }),
    audit: auditLog,
    secretBox,
    ids,
    random,
    clock,
    log,
  };
  const triggers = createTriggers({
    ...triggerPorts,
    triggerTraffic,
    limits: { depth: limits.depth, bytes: limits.stepBytes },
    egress,
    resolveConnection: connecting.resolve,
    inputOf: (environment, runId) => readInput({ storage }, { scope: { workspace, environment }, runId }),
  });
  const restorePorts: AfterRestorePorts = {
    storage,
    workspace,
    audit: auditLog,
    endAccess,
    skipTimes: (by, reason) => skipTimes(triggerPorts, by, reason),
  };
  const pump = createPump({
    ...triggerPorts,
    start: (request, origin) => startFiring(runPorts, worker, request, origin),
    onFiring: (environment, triggerId) => live.hint({ kind: "trigger", id: triggerId }, environment),
  });
  const { audit, checkpoints } = createAudit(
    {
      slices,
      storage,
      workspace,
      clock,
      log,
      audit: auditLog,
      chainKey,
      signingSeed: deriveKey(masterKey, "checkpoints"),
    },
    { workerId, checkpointMs: settings.checkpointMs },
  );

  const { inbound, forget: forgetInbound } = createInbound({
    ...triggerPorts,
    ...{ egress, resolveConnection: connecting.resolve, connectionTraffic, triggerTraffic },
  });

  const { authorizations, keepAlive } = createAuthorizations({ ...triggerPorts, egress, grants });
  const forgetConnection = (stale?: StaleConnection): void => {
    connecting.forget(stale);
    privateCalls.forget(stale);
    forgetInbound();
  };
  const unwatch = storage.watch(
    followStorage({
      versions,
      receivers,
      forgetKeys,
      forgetCachedKeys,
      forgetConnection,
      forgetGrant: (connectionId) => grants.forget(connectionId),
      forgetInbound,
      recheckSessions,
      worker,
      waiters,
      sender,
      dispatcher,
      pump,
      hint: (change) => hintOfChange(live, change, workspace, (runId) => worker.holds(runId)),
    }),
  );
  let stopped = false;
  const reviews = createReviews({
    slices,
    storage,
    workspace,
    clock,
    ids,
    checkOutputs: createOutputsCheck(),
    claimFor,
    adopt: (claim) => worker.adopt(claim),
    onDecision: (environment, reviewId) => hintOfDecision(live, environment, reviewId),
    openReview: (scope, runId) => worker.openReview(scope, runId),
    resume: (decision, by) => worker.resume(decision, by),
    operationOf: (environment, call, options) => approvedOperation(runPorts, environment, call, options),
  });

  return checkedEngine({
    procedures: createProcedures({
      storage,
      workspace,
      clock,
      slices,
      audit: auditLog,
      resolveConnection: connecting.resolve,
      connectionNames: createConnectionNames({ storage, workspace, integrations }),
      models: settings.models,
      onPublished: () => hintOfVersion(live),
    }),
    runs: createRuns(runPorts, worker, quarantined),
    reviews,
    connections,
    authorizations,
    privateConnections: privateCalls.privateConnections,
    webhooks: createWebhooks({ storage, workspace, egress, secretBox, audit: auditLog, ids, random, clock }),
    triggers,
    inbound,
    audit,
    retention: createRetention({ storage, workspace, clock, ids, log, auditLog, audit }),
    keys,
    people,
    sessions,
    live,
    summary: createSummary({
      storage,
      workspace,
      clock,
      reviews,
      connections,
      countFailingWebhooks: (environment) => countFailingWebhooks({ storage, workspace }, environment),
    }),
    backtest: createBacktest({
      storage,
      workspace,
      versions,
      limits,
      actionMetadata: createActionMetadata(connecting.resolve),
      models: settings.models,
      asking: { clock, random, unforced },
    }),
    markRestored: (request) => afterRestore(restorePorts, request),
    ready: async () => {
      await checkMasterKey(settings.storage, workspace, chainKey);
      await writes.check();
      const trouble = worker.troubled();
      if (trouble !== undefined) {
        throw new ProcedoError("storage_unavailable", `${trouble} Storage accepts no writes, or answers too late.`);
      }
    },
    start: async () => {
      if (stopped) throw stoppedAlready();
      await worker.start();
      if (stopped) {
        // The engine was stopped in the meantime, before the worker had a lease to release.
        await worker.stop(0);
        throw stoppedAlready();
      }
      checkpoints.start();
      sender.start();
      privateCalls.start();
      pump.start();
      keepAlive.start();
    },
    stop: async ({ drainMs = defaultDrainMs } = {}) => {
      stopped = true;
      await Promise.all([
        pump.stop(drainMs),
        worker.stop(drainMs),
        checkpoints.stop(),
        sender.stop(drainMs),
        privateCalls.stop(),
        keepAlive.stop(),
      ]);
      unwatch();
      await grants.stop();
      await Promise.all([stopKeys(), stopPeople(), connectionTraffic.stop(), triggerTraffic.stop(), egress.close()]);
    },
  });
}

function stoppedAlready(): ProcedoError {
  return new ProcedoError("shutting_down", "The engine has been stopped and cannot start again. Create another one.");
}
