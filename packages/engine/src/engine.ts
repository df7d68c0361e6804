import type { RunLimits } from "@procedo/procedure";
import { defaultRunLimits } from "@procedo/procedure";
import type { Change, Storage } from "@procedo/storage";
import { ProcedoError } from "@procedo/contract";
import { createAudit, type Audit } from "./audit/audit.ts";
import { createAuditLog } from "./audit/audit-log.ts";
import { createConnections, type Connections } from "./connections/connections.ts";
import { createWebhooks, type Webhooks } from "./events/webhooks.ts";
import type { Integration } from "./integrations/integration.ts";
import { createOutgoing, type OutgoingOptions } from "./outgoing/outgoing.ts";
import type { Clock } from "./ports/clock.ts";
import { createIds } from "./ports/ids.ts";
import { silentLog, type Log } from "./ports/log.ts";
import type { Random } from "./ports/random.ts";
import { systemClock } from "./ports/system-clock.ts";
import { systemRandom } from "./ports/system-random.ts";
import { createProcedures, type Procedures } from "./procedures/procedures.ts";
import { createVersions } from "./procedures/versions.ts";
import { createOutputsCheck } from "./reviews/check-outputs.ts";
import { createReviews, type Reviews } from "./reviews/reviews.ts";
import { createCommitter } from "./runs/committer.ts";
import { createRuns, type RunPorts, type Runs } from "./runs/runs.ts";
import { createWaiters } from "./runs/waiters.ts";
import { createWorker } from "./runs/worker.ts";
import { deriveKey } from "./secrets/derive-key.ts";
import { createSecretBox } from "./secrets/secret-box.ts";

export interface EngineOptions {
  /** Where everything is kept. The engine does not close it. */
  readonly storage: Storage;
  readonly integrations: readonly Integration[];
  /**
   * At least 32 random bytes, the same for every engine on the same storage: secrets are encrypted and journals are
   * chained with keys derived from it. Losing it loses both. See {@link masterKeyFile}.
   */
  readonly masterKey: Uint8Array;
  /** @defaultValue "default" */
  readonly workspace?: string;
  readonly limits?: Partial<RunLimits>;
  /** Outgoing requests of integrations and webhooks. @defaultValue public addresses only */
  readonly outgoing?: OutgoingOptions;
  readonly worker?: WorkerOptions;
  /**
   * How often the runs that have ended are listed in a signed checkpoint, by whichever engine comes first, in
   * milliseconds; at least 1000. @defaultValue 3600000
   */
  readonly checkpointMs?: number;
  /** @defaultValue says nothing */
  readonly log?: Log;
  /** @defaultValue the machine's */
  readonly clock?: Clock;
  /** @defaultValue the machine's */
  readonly random?: Random;
}

export interface WorkerOptions {
  /** How long this process may be silent before others take its runs, in milliseconds. @defaultValue 15000 */
  readonly leaseMs?: number;
  /** Runs executed at once; more wait in storage. @defaultValue 1000 */
  readonly capacity?: number;
  /** How often storage is searched for claimable runs of which nothing told, in milliseconds. @defaultValue 1000 */
  readonly pollMs?: number;
  /** How long after its intent a call may still leave, in milliseconds. @defaultValue 5000 */
  readonly sendWindowMs?: number;
}

/** Runs procedures durably, inside your process. */
export interface Engine {
  readonly procedures: Procedures;
  readonly runs: Runs;
  readonly reviews: Reviews;
  readonly connections: Connections;
  readonly webhooks: Webhooks;
  readonly audit: Audit;
  /** Begins to execute runs. An engine that is not started publishes, starts, decides and reads all the same. */
  start(): Promise<void>;
  /** Hands its runs back to storage: each at its next step, at the latest after `drainMs`. @defaultValue 10000 */
  stop(options?: { readonly drainMs?: number }): Promise<void>;
}

const defaultDrainMs = 10_000;
const defaultCheckpointMs = 3_600_000;

/**
 * Wires the ports into the engine's rooms.
 *
 * @throws ProcedoError `invalid_configuration`
 */
export function createEngine(options: EngineOptions): Engine {
  const { storage, workspace = "default", clock = systemClock, random = systemRandom(), log = silentLog } = options;
  const ids = createIds(clock, random);
  const chainKey = deriveKey(options.masterKey, "journal");
  const secretBox = createSecretBox({
    keys: [{ id: "k1", key: deriveKey(options.masterKey, "secrets") }],
    random: (size) => random.bytes(size),
  });
  const outgoing = createOutgoing(options.outgoing);
  const integrations = byName(options.integrations);
  const limits = { ...defaultRunLimits, ...options.limits };
  const auditLog = createAuditLog({ audit: storage.audit, clock, chainKey }, workspace);
  const versions = createVersions({ storage, workspace });
  const { connections, resolve, forget } = createConnections({
    storage,
    workspace,
    integrations,
    secretBox,
    audit: auditLog,
    ids,
  });
  const waiters = createWaiters();

  const runPorts: RunPorts = {
    storage,
    workspace,
    clock,
    random,
    ids,
    log,
    limits,
    chainKey,
    versions,
    waiters,
    outgoing,
    resolveConnection: resolve,
    committer: createCommitter(storage.runs, clock),
    sendWindowMs: options.worker?.sendWindowMs ?? 5_000,
    loadProcedure: (_workspace, procedureId, version) => versions.load(procedureId, version),
    setAside: () => {},
  };
  const workerId = ids("wrk");
  const worker = createWorker(runPorts, {
    workerId,
    leaseMs: options.worker?.leaseMs ?? 15_000,
    capacity: options.worker?.capacity ?? 1_000,
    pollMs: options.worker?.pollMs ?? 1_000,
  });
  const { audit, checkpoints } = createAudit(
    {
      storage,
      workspace,
      clock,
      log,
      audit: auditLog,
      chainKey,
      signingSeed: deriveKey(options.masterKey, "checkpoints"),
    },
    { workerId, checkpointMs: options.checkpointMs ?? defaultCheckpointMs },
  );

  const forgetManaged = (): void => {
    versions.forget();
    forget();
  };
  const changed = (change: Change): void => {
    switch (change.type) {
      case "claimable":
        worker.claimSoon();
        break;
      case "notified":
        worker.notified(change.runId);
        break;
      case "settled":
        // What came to rest in this worker's hands is told by the worker, with its result.
        if (!worker.holds(change.runId)) waiters.changed(change.runId);
        break;
      case "managed":
        forgetManaged();
        break;
      case "elsewhere":
        forgetManaged();
        worker.claimSoon();
        worker.anyNotified();
        waiters.allChanged();
        break;
    }
  };
  const unwatch = storage.watch(changed);

  return {
    procedures: createProcedures({ storage, workspace, clock, audit: auditLog, resolveConnection: resolve }),
    runs: createRuns(runPorts, worker),
    reviews: createReviews({
      storage,
      workspace,
      clock,
      ids,
      checkOutputs: createOutputsCheck(),
      claimFor: () => (worker.hasRoom() ? worker.workerId : undefined),
      adopt: (claim) => worker.adopt(claim),
    }),
    connections,
    webhooks: createWebhooks({ storage, workspace, outgoing, secretBox, audit: auditLog, ids, random, clock }),
    audit,
    start: async () => {
      await worker.start();
      checkpoints.start();
    },
    stop: async ({ drainMs = defaultDrainMs } = {}) => {
      await Promise.all([worker.stop(drainMs), checkpoints.stop()]);
      unwatch();
      await outgoing.close();
    },
  };
}

function byName(integrations: readonly Integration[]): ReadonlyMap<string, Integration> {
  const map = new Map<string, Integration>();
  for (const integration of integrations) {
    if (map.has(integration.name)) {
      throw new ProcedoError("invalid_configuration", `Two integrations are named "${integration.name}". Rename one.`);
    }
    map.set(integration.name, integration);
  }
  return map;
}
