/*
 * API keys. A key acts as a person in one environment.
 *
 *   keys.ts           creates, lists, deletes and authenticates keys
 *   raw-key.ts        the text of a key, and its digest, which is all that is stored
 *   key-record.ts     a key in storage
 *   key-holders.ts    the principal of a key, cached until the key changes
 *   held-keys.ts      the keys of requests in progress, so that a deletion ends the requests
 *   key-reviewers.ts  the people and roles that keys act as, for the check of reviews at publishing
 *   shown-once.ts     undoes a creation when the caller did not receive the secret
 */
import { createApiKeyRequestSchema, nameProblem, normalName, ProcedoError, requestProblems } from "@procedo/contract";
import type { Environment, Permission } from "@procedo/contract";
import type { Page, PageRequest, Storage } from "@procedo/storage";
import type { AuditLog } from "../audit/audit-log.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Random } from "../ports/random.ts";
import { createHeldKeys, type HeldKey } from "./held-keys.ts";
import { createKeyHolders } from "./key-holders.ts";
import { keyKind, shownKey, type ApiKey, type KeyBody } from "./key-record.ts";
import { actor, authorize, type Principal } from "../access/principal.ts";
import { digestOfKey, hasFormOfKey, newRawKey } from "./raw-key.ts";
import { undone, writeShownOnce, type ShownOnce } from "./shown-once.ts";

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
   * The person that the key acts as, 1 to 256 characters. Only code that embeds the engine (a principal without
   * `permissions`) may name another person than `by`. Otherwise people could approve their own requests as another
   * person.
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
   * @throws ProcedoError `environment_mismatch`, `permission_denied`, `invalid_input`
   */
  create(key: NewApiKey, answer?: ShownOnce): Promise<ApiKey & { readonly key: string }>;
  /** The keys of both environments, oldest first. */
  list(request: PageRequest): Promise<Page<ApiKey>>;
  /**
   * Deletes a key: immediately for this process, for others when the change notice arrives, at the latest after 10
   * seconds. Requests in progress with the key then write nothing more.
   *
   * @throws ProcedoError `permission_denied`, `api_key_not_found`, `environment_mismatch`
   */
  remove(request: { readonly keyId: string; readonly by: Principal }): Promise<void>;
  /**
   * The principal of this raw key; `undefined` for an unknown one. The duration reveals nothing about existing keys.
   */
  authenticate(key: string): Promise<Principal | undefined>;
  /**
   * Authenticates a request. The hold is notified of the key's deletion until it is released, and the caller must
   * release it.
   *
   * @throws ProcedoError `storage_unavailable`
   */
  hold(key: string): Promise<HeldKey | undefined>;
}

export interface KeyPorts {
  readonly storage: Pick<Storage, "records">;
  readonly workspace: string;
  readonly audit: AuditLog;
  readonly ids: Ids;
  readonly random: Random;
  readonly clock: Clock;
}

export function createKeys(ports: KeyPorts): {
  readonly keys: Keys;
  /** Discards cached data of a key that may have been removed, or of all keys when it is left out. */
  readonly forget: (keyId?: string) => void;
} {
  const { storage, workspace } = ports;
  const holders = createKeyHolders(storage.records, workspace, ports.clock);
  const held = createHeldKeys(ports.clock, holders);
  const forget = (keyId?: string): void => {
    holders.forget(keyId);
    held.recheck(keyId);
  };

  const keys: Keys = {
    create: async ({ by, person: counts = by.person, ...given }, answer = {}) => {
      authorize(by, "manage", given.environment);
      const { name, environment, permissions, roles } = checked(given);
      for (const permission of permissions) authorize(by, permission, environment);
      checkRoles(roles, permissions, by);
      const person = checkedPerson(counts, by);
      const keyId = ports.ids("key");
      const key = newRawKey(environment, ports.random);
      const body: KeyBody = { name, permissions, roles, person, createdAtMs: ports.clock.now() };
      const record = {
        workspace,
        environment,
        kind: keyKind,
        id: keyId,
        body: JSON.stringify(body),
        uniqueKeys: [digestOfKey(key)],
        keys: [],
      };
      const fact = {
        ...actor(by),
        action: "api_key.created",
        subject: `${environment}/${keyId}`,
        details: { name, permissions, roles, person },
      };
      const result = await writeShownOnce(answer, {
        write: () => ports.audit.record(fact, (audit) => storage.records.put({ record, ifRevision: 0, audit })),
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
      const page = await storage.records.list({ workspace, kind: keyKind, ...request });
      return {
        items: page.items.flatMap(({ id, environment, body }) =>
          environment === undefined ? [] : [shownKey(id, environment, JSON.parse(body) as KeyBody)],
        ),
        nextCursor: page.nextCursor,
      };
    },
    remove: async ({ keyId, by }) => {
      authorize(by, "manage");
      const address = { workspace, kind: keyKind, id: keyId };
      const row = await storage.records.get(address);
      if (row === undefined) throw keyNotFound(keyId);
      authorize(by, "manage", row.environment);
      const fact = { ...actor(by), action: "api_key.removed", subject: `${row.environment ?? ""}/${keyId}` };
      const result = await ports.audit.record(fact, (audit) => storage.records.remove({ ...address, audit }));
      holders.forget(keyId);
      held.deleted(row.uniqueKeys);
      if (result === "not_found") throw keyNotFound(keyId);
    },
    authenticate: async (key) => (hasFormOfKey(key) ? await holders.find(digestOfKey(key)) : undefined),
    hold: async (key) => (hasFormOfKey(key) ? await held.hold(digestOfKey(key)) : undefined),
  };
  return { keys, forget };
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
