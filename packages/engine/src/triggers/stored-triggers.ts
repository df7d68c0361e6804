import type { Environment } from "@procedo/contract";
import type { AuditEntry, RecordRow, Scope, Storage, TriggerGate } from "@procedo/storage";
import { actor, type Principal } from "../access/principal.ts";
import type { AuditFact, AuditLog } from "../audit/audit-log.ts";
import { nameTaken, triggerNotFound } from "./trigger-errors.ts";
import { triggerBody, triggerKind, triggerRecord, uniqueNameOf, type TriggerBody } from "./trigger-record.ts";
import type { TriggerAddress } from "./triggers.ts";

/** A trigger as it was read. */
export interface StoredTrigger extends TriggerAddress {
  readonly body: TriggerBody;
  readonly revision: number;
}

/** The body of a trigger after a change, with the place of its schedule if that changes. */
export interface ChangedTrigger {
  readonly body: TriggerBody;
  /** @defaultValue kept */
  readonly schedule?: TriggerGate["schedule"];
}

/** Reads and writes the records of triggers, each write with its entry in the workspace's chain. */
export interface StoredTriggers {
  /** `undefined` when there is none in the environment. */
  find(address: TriggerAddress): Promise<StoredTrigger | undefined>;
  /** @throws ProcedoError `trigger_not_found` */
  get(address: TriggerAddress): Promise<StoredTrigger>;
  /** In the order of their ids. */
  all(environment: Environment): AsyncGenerator<StoredTrigger, void, undefined>;
  /**
   * Reads, changes and writes until no other write comes in between. A change to the same body writes nothing.
   *
   * @param changed may throw, for example when a given revision is not the present one
   * @throws ProcedoError `trigger_not_found`, `name_taken`
   */
  change(
    address: TriggerAddress,
    fact: AuditFact | ((before: StoredTrigger) => AuditFact),
    changed: (before: StoredTrigger) => ChangedTrigger | Promise<ChangedTrigger>,
  ): Promise<StoredTrigger>;
  /** Writes a new trigger within the turn of its chain entry. @throws ProcedoError `name_taken` */
  add(
    trigger: Omit<StoredTrigger, "revision">,
    schedule: TriggerGate["schedule"],
    audit: AuditEntry,
  ): ReturnType<Storage["records"]["put"]>;
  /** @returns whether it was there */
  remove(address: TriggerAddress, fact: AuditFact): Promise<boolean>;
}

const batch = 200;

export function createStoredTriggers(ports: {
  readonly storage: Pick<Storage, "records">;
  readonly workspace: string;
  readonly audit: AuditLog;
}): StoredTriggers {
  const { workspace, audit } = ports;
  const { records } = ports.storage;
  const scopeOf = (environment: Environment): Scope => ({ workspace, environment });

  const find: StoredTriggers["find"] = async ({ environment, triggerId }) => {
    const row = await records.get({ workspace, kind: triggerKind, id: triggerId });
    return row?.environment === environment ? storedTrigger(row, environment) : undefined;
  };
  const get: StoredTriggers["get"] = async (address) => {
    const found = await find(address);
    if (found === undefined) throw triggerNotFound(address.environment, address.triggerId);
    return found;
  };

  return {
    find,
    get,
    all: async function* (environment) {
      for (let after: string | undefined; ;) {
        const query = { workspace, environment, kind: triggerKind, limit: batch };
        const { items } = await records.list(after === undefined ? query : { ...query, after });
        for (const row of items) yield storedTrigger(row, environment);
        after = items.at(-1)?.id;
        if (items.length < batch) return;
      }
    },
    change: async (address, fact, changed) => {
      for (;;) {
        const before = await get(address);
        const { environment, triggerId } = address;
        const { body, schedule = "kept" } = await changed(before);
        if (body === before.body) return before;
        const record = triggerRecord(scopeOf(environment), triggerId, body, schedule);
        const result = await audit.record(typeof fact === "function" ? fact(before) : fact, (entry) =>
          records.put({ record, ifRevision: before.revision, audit: entry }),
        );
        if (result.status === "taken") throw nameTaken(environment, body.name);
        if (result.status === "stored") return { environment, triggerId, body, revision: result.revision };
      }
    },
    add: async ({ environment, triggerId, body }, schedule, entry) => {
      const record = triggerRecord(scopeOf(environment), triggerId, body, schedule);
      const result = await records.put({ record, ifRevision: 0, audit: entry });
      if (result.status === "taken" && result.uniqueKey === uniqueNameOf(scopeOf(environment), body.name)) {
        throw nameTaken(environment, body.name);
      }
      return result;
    },
    remove: async ({ triggerId }, fact) => {
      const result = await audit.record(fact, (entry) =>
        records.remove({ workspace, kind: triggerKind, id: triggerId, audit: entry }),
      );
      return result === "removed";
    },
  };
}

/** The entry of a change of a trigger in the workspace's chain. */
export function triggerFact(by: Principal, action: string, { environment, triggerId }: TriggerAddress): AuditFact {
  return { ...actor(by), action: `trigger.${action}`, subject: `${environment}/${triggerId}` };
}

function storedTrigger(row: RecordRow, environment: Environment): StoredTrigger {
  return { environment, triggerId: row.id, body: triggerBody(row), revision: row.revision };
}
