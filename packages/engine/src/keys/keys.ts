/*
 * API keys. A key acts as a person in one environment.
 *
 *   keys.ts           creates, lists, deletes and authenticates keys
 *   key-record.ts     a key in storage
 *   key-limits.ts     the key's permissions and roles, as far as its person has them
 *   key-holders.ts    the principal of a key, cached until the key or a person changes
 *   key-reviewers.ts  the people who can decide, by account or key, for the check of reviews at publishing
 */
import {
  apiKeyPrefixes,
  createApiKeyRequestSchema,
  nameProblem,
  normalName,
  ProcedoError,
  requestProblems,
} from "@procedo/contract";
import type { Environment, Permission } from "@procedo/contract";
import type { Page, PageRequest, RecordRow, RecordUse, Storage } from "@procedo/storage";
import { createHeldCredentials } from "../access/held-credentials.ts";
import type { HeldPrincipal } from "../access/held-principal.ts";
import { createLastUses } from "../access/last-uses.ts";
import { actor, authorize, refuseRevoked, type Principal } from "../access/principal.ts";
import { digestOf, hasFormOfToken, newRawToken } from "../access/raw-token.ts";
import type { AuditFact, AuditLog } from "../audit/audit-log.ts";
import { undone, writeShownOnce, type ShownOnce } from "../audit/shown-once.ts";
import type { Roster } from "../people/roster.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Random } from "../ports/random.ts";
import { createKeyHolders } from "./key-holders.ts";
import { keyKind, shownKey, type ApiKey, type KeyBody } from "./key-record.ts";

/** An API key to be created. */
export interface NewApiKey {
  /** Label for people, 1 to 200 characters. */
  readonly name: string;
  /** Cannot be changed later. */
  readonly environment: Environment;
  /** Permissions beyond reading; `by` must have each of them. @defaultValue run and manage */
  readonly permissions?: readonly Permission[];
  /**
   * Roles in which the key decides reviews, in addition to `reviewer`. They require the permission `review`. If `by`
   * has `permissions`, it must have each of the roles. @defaultValue none
   */
  readonly roles?: readonly string[];
  /** The person or key that creates the key. */
  readonly by: Principal;
  /**
   * The person that the key acts as, 1 to 256 characters; once people have joined, the e-mail address of an active one.
   * Only code that embeds the engine (a principal without `permissions`) may name another person than `by`. Otherwise
   * people could approve their own requests as another person.
   *
   * @defaultValue `by.person`
   */
  readonly person?: string;
}

/** Keys of the workspace, for both environments. */
export interface Keys {
  /**
   * Creates a key. Only this answer contains the raw key; storage has its SHA-256.
   *
   * @throws ProcedoError `environment_mismatch`, `permission_denied`, `invalid_input`. When people have joined and none
   *   of those who are active has the e-mail address `person`: `permission_denied` for a principal with `permissions`,
   *   otherwise `person_not_found`
   */
  create(key: NewApiKey, answer?: ShownOnce): Promise<ApiKey & { readonly key: string }>;
  /** The keys of one environment, or of both if none is given, oldest first. */
  list(request: { readonly environment?: Environment } & PageRequest): Promise<Page<ApiKey>>;
  /**
   * Deletes a key: immediately for this process, for others when the change notice arrives, at the latest after 10
   * seconds. Requests in progress with the key then write nothing more.
   *
   * @throws ProcedoError `permission_denied`, `api_key_not_found`, `environment_mismatch`
   */
  remove(request: { readonly keyId: string; readonly by: Principal }): Promise<void>;
  /**
   * The principal of this raw key, with the permissions and roles that its person has now; `undefined` for an unknown
   * one, and for one whose person is not active or has no access to its environment. The duration reveals nothing about
   * existing keys.
   */
  authenticate(key: string): Promise<Principal | undefined>;
  /**
   * Authenticates a request. The hold is notified of the key's deletion until it is released, and the caller must
   * release it.
   *
   * @param origin the sender of the request, for the record of the key's last use
   * @throws ProcedoError `storage_unavailable`
   */
  hold(key: string, origin?: KeyOrigin): Promise<HeldKey | undefined>;
}

/** The sender of a request. */
export interface KeyOrigin {
  /** Network address of the sender. @defaultValue not known */
  readonly address?: string | undefined;
}

/** A request's hold on its API key. */
export interface HeldKey extends HeldPrincipal {
  readonly environment: Environment;
}

/** Interval at which held keys are looked up, in case a change notice was lost. */
const recheckMs = 5_000;

export interface KeyPorts {
  readonly storage: Pick<Storage, "records">;
  readonly workspace: string;
  readonly roster: Pick<Roster, "joined" | "hasPeople">;
  readonly audit: AuditLog;
  readonly ids: Ids;
  readonly random: Random;
  readonly clock: Clock;
}

export function createKeys(ports: KeyPorts): {
  readonly keys: Keys;
  /** Discards cached data of a key that may have been removed, or of all keys when it is left out. */
  readonly forget: (keyId?: string) => void;
  /** Forgets cached keys without a lookup of those that requests hold. */
  readonly forgetCached: () => void;
  /** The keys that act as a person. */
  readonly keysOf: (person: string) => Promise<readonly ApiKey[]>;
  /** Removes keys without a check of permissions. */
  readonly removeKeys: (keys: readonly ApiKey[], by: Principal) => Promise<void>;
  /** Writes the uses of keys that are not yet written. */
  readonly stop: () => Promise<void>;
} {
  const { storage, workspace, roster } = ports;
  const holders = createKeyHolders(storage.records, roster, workspace, ports.clock);
  const held = createHeldCredentials(ports.clock, holders, recheckMs);
  const uses = createLastUses(storage.records, { workspace, kind: keyKind }, ports.clock);
  const forget = (keyId?: string): void => {
    holders.forget(keyId);
    held.recheck(keyId === undefined ? undefined : (holder) => holder.keyId === keyId);
  };
  const hold = async (key: string, { address }: KeyOrigin = {}): Promise<HeldKey | undefined> => {
    const hold = await held.hold(digestOf(key));
    if (hold?.holder !== undefined) uses.note(hold.holder.keyId, address);
    // A key always has an environment.
    return hold as (typeof hold & HeldKey) | undefined;
  };

  /** Returns whether the key was there. */
  const removeRow = async ({ id, environment, uniqueKeys }: RecordRow, by: Principal): Promise<boolean> => {
    const fact: AuditFact = { ...actor(by), action: "api_key.removed", subject: `${environment ?? ""}/${id}` };
    const result = await ports.audit.record(fact, (audit) =>
      storage.records.remove({ workspace, kind: keyKind, id, audit }),
    );
    holders.forget(id);
    held.ended((digest) => uniqueKeys.includes(digest));
    return result !== "not_found";
  };
  const list: Keys["list"] = async (request) => {
    const page = await storage.records.list({ workspace, kind: keyKind, ...request });
    return {
      items: page.items.flatMap(({ id, environment, body }) =>
        environment === undefined ? [] : [shownKey(id, environment, JSON.parse(body) as KeyBody)],
      ),
      nextCursor: page.nextCursor,
    };
  };

  const keys: Keys = {
    create: async ({ by, person: counts = by.person, ...given }, answer = {}) => {
      authorize(by, "manage", given.environment);
      const { name, environment, permissions, roles } = checked(given);
      for (const permission of permissions) authorize(by, permission, environment);
      checkRoles(roles, permissions, by);
      const person = checkedPerson(counts, by);
      const keyId = ports.ids("key");
      const key = newRawToken(apiKeyPrefixes[environment], ports.random);
      const createdBy = actor(by).by;
      const body: KeyBody = { name, permissions, roles, person, createdBy, createdAtMs: ports.clock.now() };
      const record = {
        workspace,
        environment,
        kind: keyKind,
        id: keyId,
        body: JSON.stringify(body),
        uniqueKeys: [digestOf(key)],
        keys: [],
      };
      const fact = {
        ...actor(by),
        action: "api_key.created",
        subject: `${environment}/${keyId}`,
        details: { name, permissions, roles, person },
      };
      const result = await writeShownOnce(answer, {
        write: () =>
          ports.audit.record(fact, async (audit) => {
            // Each change of a person has an entry of its own: one that was made since the check leaves this one behind.
            await checkIsPerson(roster, person, by);
            refuseRevoked(by);
            return await storage.records.put({ record, ifRevision: 0, audit });
          }),
        undo: () =>
          ports.audit.record(undone(fact, "api_key.removed"), (audit) =>
            storage.records.remove({ workspace, kind: keyKind, id: keyId, audit }),
          ),
      });
      if (result.status !== "stored") {
        throw new ProcedoError(
          "internal",
          "The random source returned the same key twice. Check the engine's source of random bytes.",
        );
      }
      return { ...shownKey(keyId, environment, body), key };
    },
    list: async (request) => {
      const { items, nextCursor } = await list(request);
      const used = await uses.of(items.map(({ keyId }) => keyId));
      return { items: items.map((key) => withUse(key, used.get(key.keyId))), nextCursor };
    },
    remove: async ({ keyId, by }) => {
      authorize(by, "manage");
      const row = await storage.records.get({ workspace, kind: keyKind, id: keyId });
      if (row === undefined) throw keyNotFound(keyId);
      authorize(by, "manage", row.environment);
      if (!(await removeRow(row, by))) throw keyNotFound(keyId);
    },
    authenticate: async (key) => {
      const holder = hasFormOfKey(key) ? await holders.find(digestOf(key)) : undefined;
      if (holder !== undefined) uses.note(holder.keyId);
      return holder?.principal;
    },
    hold: async (key, origin) => (hasFormOfKey(key) ? await hold(key, origin) : undefined),
  };
  return {
    keys,
    forget,
    forgetCached: () => holders.forget(),
    keysOf: async (person) => {
      const found: ApiKey[] = [];
      for (let cursor: string | undefined; ;) {
        const { items, nextCursor } = await list({ limit: 100, ...(cursor !== undefined && { cursor }) });
        found.push(...items.filter((key) => key.person === normalName(person)));
        if (nextCursor === undefined) return found;
        cursor = nextCursor;
      }
    },
    removeKeys: async (removed, by) => {
      for (const { keyId } of removed) {
        const row = await storage.records.get({ workspace, kind: keyKind, id: keyId });
        // Another request may have removed it.
        if (row !== undefined) await removeRow(row, by);
      }
    },
    stop: () => uses.stop(),
  };
}

function withUse(key: ApiKey, use: RecordUse | undefined): ApiKey {
  if (use === undefined) return key;
  const { usedAtMs, address } = use;
  return { ...key, lastUsedAtMs: usedAtMs, ...(address !== undefined && { lastUsedFrom: address }) };
}

function hasFormOfKey(text: string): boolean {
  return Object.values(apiKeyPrefixes).some((prefix) => hasFormOfToken(prefix, text));
}

/**
 * Once people have joined, a key acts as one of them: records would otherwise know the same human by two names, who
 * could then approve their own requests.
 */
async function checkIsPerson(roster: KeyPorts["roster"], person: string, by: Principal): Promise<void> {
  if (!(await roster.hasPeople())) return;
  if ((await roster.joined(person))?.isActive === true) return;
  if (by.permissions !== undefined) {
    throw new ProcedoError(
      "permission_denied",
      `Your key acts as "${person}", who has no account. Create keys with a session or a key of a person, or by the command: procedo keys create --person EMAIL.`,
    );
  }
  throw new ProcedoError(
    "person_not_found",
    `No active person has the e-mail address "${person}". Name the person that the key acts as by the address: procedo keys create --person EMAIL.`,
  );
}

function checked(given: Pick<NewApiKey, "name" | "environment" | "permissions" | "roles">) {
  const { name, environment, permissions, roles } = given;
  const request = createApiKeyRequestSchema.safeParse({ name, environment, permissions, roles });
  if (request.success) return { ...request.data, roles: [...new Set(request.data.roles.map(normalName))] };
  const details = requestProblems(request.error).map(({ path, message }) => ({ path, message }));
  const [first] = details;
  throw new ProcedoError("invalid_input", `The key's ${first?.path.slice(1) ?? ""} ${first?.message ?? ""}.`, {
    details,
  });
}

/** Rejects roles without the permission `review`, and roles that the key's creator does not have. */
function checkRoles(roles: readonly string[], permissions: readonly Permission[], by: Principal): void {
  if (roles.length > 0 && !permissions.includes("review")) {
    const message = 'count in reviews only, which need the permission "review"';
    throw new ProcedoError("invalid_input", `The key's roles ${message}. Give the key this permission as well.`, {
      details: [{ path: "/roles", message }],
    });
  }
  if (by.permissions === undefined) return;
  const held = new Set(by.roles?.map(normalName));
  const missing = roles.find((role) => !held.has(role));
  if (missing === undefined) return;
  const message = `You do not hold the role "${missing}", so you cannot give it to a key. Create the key with the command: procedo keys create.`;
  throw new ProcedoError("permission_denied", message);
}

function checkedPerson(given: string, by: Principal): string {
  const problem = nameProblem(given);
  if (problem !== undefined) {
    throw new ProcedoError("invalid_input", `The name of the person that the key acts as ${problem}.`);
  }
  const person = normalName(given);
  if (person === normalName(by.person) || by.permissions === undefined) return person;
  throw new ProcedoError("permission_denied", "You can create keys that act as yourself, not as another person.");
}

function keyNotFound(keyId: string): ProcedoError {
  return new ProcedoError("api_key_not_found", `There is no API key "${keyId}". It may have been deleted.`);
}
