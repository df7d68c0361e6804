/*
 * Management of webhooks. `deliveries/` sends their events, `runs/event-of.ts` derives these from journal entries.
 *
 *   webhooks.ts        the module's interface
 *   new-webhook.ts     the requests that create and change a webhook
 *   webhook-record.ts  a webhook in storage, with its secrets; webhook-fields.ts: the checks of a request's fields
 *   delivery.ts        a delivery as a user sees it; failing-webhooks.ts: the webhooks that are failing
 *   webhook-errors.ts  the errors about webhooks and deliveries that are missing or inactive
 *   resend-since.ts    resends undelivered events
 */
import { ProcedoError, sampleEventData, type Environment, type JsonObject } from "@procedo/contract";
import type { DeliveryQuery, Page, PageRequest, RecordRow, Scope, Storage, UndeliveredStatus } from "@procedo/storage";
import { actor, authorize, type Principal } from "../access/principal.ts";
import { undone, writeShownOnce, type ShownOnce } from "../audit/shown-once.ts";
import type { AuditFact, AuditLog } from "../audit/audit-log.ts";
import { shownAttempt, shownDelivery, type Delivery, type DeliveryAttempt, type DeliveryDetails } from "./delivery.ts";
import type { Egress } from "../egress/egress.ts";
import { whileOutside, type OutsideOptions } from "../egress/outside.ts";
import type { Ids } from "../ports/ids.ts";
import type { Random } from "../ports/random.ts";
import type { SecretBox } from "../secrets/secret-box.ts";
import type { NewWebhook, WebhookAddress, WebhookChanges } from "./new-webhook.ts";
import { resendSince, type ResentDeliveries } from "./resend-since.ts";
import { failingMarks } from "./failing-webhooks.ts";
import { inactiveWebhook, unknownDelivery, unknownWebhook } from "./webhook-errors.ts";
import { checkEvents, checkName } from "./webhook-fields.ts";
import {
  newWebhookSecret,
  shownWebhook,
  startsAgain,
  webhookBody,
  webhookKind,
  webhookRecord,
  webhookSecrets,
  withActivity,
  type Webhook,
  type WebhookBody,
} from "./webhook-record.ts";

/** The receivers of events. Deliveries are stored together with their event. */
export interface Webhooks {
  /**
   * Creates a webhook. The signing secret is returned here only.
   *
   * @throws ProcedoError `invalid_input` for an invalid name or event, `destination_not_allowed`
   */
  create(webhook: NewWebhook, options?: OutsideOptions & ShownOnce): Promise<Webhook & { readonly secret: string }>;
  /** A webhook without its secret. @throws ProcedoError `webhook_not_found` */
  get(request: WebhookAddress): Promise<Webhook>;
  /** Sorted by id. */
  list(request: { readonly environment: Environment } & PageRequest): Promise<Page<Webhook>>;
  /**
   * Changes the given fields of a webhook. Its secret stays the same.
   *
   * @throws ProcedoError `webhook_not_found`, `invalid_input`, `destination_not_allowed`
   */
  update(changes: WebhookChanges, options?: OutsideOptions): Promise<Webhook>;
  /**
   * Replaces the signing secret. The new one is returned here only. Deliveries that are under way may still be signed
   * with the old one.
   *
   * @throws ProcedoError `webhook_not_found`
   */
  rotate(
    request: WebhookAddress & {
      /** Whether the old secret signs beside the new one for 24 hours. @defaultValue false */
      readonly keepOldSecret?: boolean;
      readonly by: Principal;
    },
    answer?: ShownOnce,
  ): Promise<{
    readonly webhookId: string;
    readonly secret: string;
    readonly oldSecretExpiresAtMs: number | undefined;
  }>;
  /**
   * Removes a webhook. Later events are not recorded for it. Its pending deliveries end as failed, and none of its
   * deliveries can be listed or resent any more; they stay in storage as long as their runs do.
   *
   * @throws ProcedoError `webhook_not_found`; `environment_mismatch` for a webhook of an environment that the principal
   *   may not manage
   */
  remove(request: WebhookAddress & { readonly by: Principal }): Promise<void>;
  /**
   * Sends a sample event once, also to an inactive webhook.
   *
   * @throws ProcedoError `webhook_not_found`, `invalid_input` for an invalid event
   */
  test(
    request: WebhookAddress & {
      /** @defaultValue the webhook's first event */
      readonly event?: string;
      readonly by: Principal;
    },
  ): Promise<Delivery>;
  /**
   * Newest first. `fromMs` and `toMs` bound the time of the event. A page examines a bounded number of deliveries: with
   * filters, it may be short or even empty although it has a `nextCursor`.
   *
   * @throws ProcedoError `webhook_not_found`, `invalid_cursor`
   */
  deliveries(
    request: WebhookAddress & PageRequest & Omit<DeliveryQuery, "scope" | "webhookId">,
  ): Promise<Page<Delivery>>;
  /**
   * A delivery with the data of its event and its attempts.
   *
   * @throws ProcedoError `webhook_not_found`, `not_found`
   */
  delivery(request: WebhookAddress & { readonly deliveryId: string }): Promise<DeliveryDetails>;
  /** The attempts of a delivery, oldest first. @throws ProcedoError `webhook_not_found` */
  attempts(request: WebhookAddress & { readonly deliveryId: string }): Promise<readonly DeliveryAttempt[]>;
  /**
   * Resends a delivery under its id, once, also to an inactive webhook. The next attempt of a waiting delivery is
   * brought forward. A repeated call within 5 s is the same resend.
   *
   * @throws ProcedoError `webhook_not_found`, `not_found`
   */
  resend(request: WebhookAddress & { readonly deliveryId: string; readonly by: Principal }): Promise<Delivery>;
  /**
   * Resends the undelivered deliveries of all events since a time, oldest first, under the same ids and with the whole
   * schedule of attempts. Repeated calls send nothing twice: pending deliveries stay as they are. One call examines
   * 5,000 deliveries and returns a cursor for the next call while there are more.
   *
   * @throws ProcedoError `webhook_not_found`, `webhook_inactive`, `invalid_cursor`
   */
  resendSince(
    request: WebhookAddress & {
      /** Earliest time of the events, in milliseconds since the epoch. */
      readonly sinceMs: number;
      /** @defaultValue both */
      readonly statuses?: readonly UndeliveredStatus[];
      readonly cursor?: string;
      readonly by: Principal;
    },
  ): Promise<ResentDeliveries>;
}

export interface WebhookPorts {
  readonly storage: Pick<Storage, "records" | "deliveries">;
  readonly workspace: string;
  readonly egress: Pick<Egress, "check">;
  readonly secretBox: SecretBox;
  readonly audit: AuditLog;
  readonly ids: Ids;
  readonly random: Random;
  readonly clock: { now(): number };
}

const oldSecretMs = 24 * 3_600_000;

/** A double click, or the retry of a request whose response was lost, is one resend. */
const repeatMs = 5_000;

export function createWebhooks(ports: WebhookPorts): Webhooks {
  const { storage, workspace, clock } = ports;
  const scopeOf = (environment: Environment): Scope => ({ workspace, environment });
  const secretsOf = ({ environment, webhookId }: WebhookAddress) =>
    webhookSecrets(ports.secretBox, workspace, environment, webhookId);
  const factOf = (by: Principal, action: string, { environment, webhookId }: WebhookAddress): AuditFact => ({
    ...actor(by),
    action: `webhook.${action}`,
    subject: `${environment}/${webhookId}`,
  });

  const find = async ({ environment, webhookId }: WebhookAddress): Promise<RecordRow> => {
    const row = await storage.records.get({ workspace, kind: webhookKind, id: webhookId });
    if (row?.environment !== environment) throw unknownWebhook(environment, webhookId);
    return row;
  };

  const shown = async ({ environment, webhookId }: WebhookAddress, body: WebhookBody): Promise<Webhook> => {
    const marks = await failingMarks(ports, environment, [webhookId]);
    return shownWebhook(webhookId, environment, body, marks.get(webhookId));
  };

  /**
   * Reads, changes and writes until no other write comes in between: concurrent changes of different fields are all
   * kept.
   */
  const change = async (
    address: WebhookAddress,
    fact: (body: WebhookBody) => AuditFact,
    changed: (body: WebhookBody) => WebhookBody,
  ): Promise<WebhookBody> => {
    for (;;) {
      const row = await find(address);
      const before = webhookBody(row);
      const body = changed(before);
      if (body === before) return body;
      const record = webhookRecord(workspace, address.environment, address.webhookId, body);
      const result = await ports.audit.record(fact(body), (audit) =>
        storage.records.put({ record, ifRevision: row.revision, audit }),
      );
      if (result.status === "stored") return body;
    }
  };

  return {
    create: async ({ url, events, environment, name, isActive = true, by }, { outside, ...answer } = {}) => {
      authorize(by, "manage", environment);
      const known = checkEvents(events);
      checkName(name);
      await whileOutside(outside, () => ports.egress.check(url));
      const webhookId = ports.ids("whk");
      const secret = newWebhookSecret(ports.random);
      const nowMs = clock.now();
      const body: WebhookBody = {
        name: name ?? new URL(url).host,
        url,
        events: known,
        isActive,
        ...(!isActive && { deactivated: { atMs: nowMs, because: `Created inactive by ${actor(by).by}.` } }),
        createdBy: actor(by).by,
        createdAtMs: nowMs,
        activeSinceMs: nowMs,
        secret: secretsOf({ environment, webhookId }).seal(secret),
      };
      const record = webhookRecord(workspace, environment, webhookId, body);
      const fact = factOf(by, "created", { environment, webhookId });
      await writeShownOnce(answer, {
        write: () => ports.audit.record(fact, (audit) => storage.records.put({ record, ifRevision: 0, audit })),
        undo: () =>
          ports.audit.record(undone(fact, "webhook.removed"), (audit) =>
            storage.records.remove({ workspace, kind: webhookKind, id: webhookId, audit }),
          ),
      });
      return { ...shownWebhook(webhookId, environment, body), secret };
    },

    get: async (address) => await shown(address, webhookBody(await find(address))),

    list: async ({ environment, ...page }) => {
      const { items, nextCursor } = await storage.records.list({ workspace, environment, kind: webhookKind, ...page });
      const marks = await failingMarks(
        ports,
        environment,
        items.map(({ id }) => id),
      );
      const shownOf = (row: RecordRow) => shownWebhook(row.id, environment, webhookBody(row), marks.get(row.id));
      return { items: items.map(shownOf), nextCursor };
    },

    update: async ({ environment, webhookId, url, events, name, isActive, by }, { outside } = {}) => {
      authorize(by, "manage", environment);
      const known = events && checkEvents(events);
      checkName(name);
      if (url !== undefined) await whileOutside(outside, () => ports.egress.check(url));
      const named = { url, events: known, name, isActive };
      const details = {
        changed: Object.entries(named).flatMap(([field, value]) => (value === undefined ? [] : [field])),
      };
      const address = { environment, webhookId };
      if (details.changed.length === 0) return await shown(address, webhookBody(await find(address)));
      const body = await change(
        address,
        () => ({ ...factOf(by, "updated", address), details }),
        (before) => {
          const nowMs = clock.now();
          const body = {
            ...before,
            name: name ?? before.name,
            url: url ?? before.url,
            events: known ?? before.events,
            activeSinceMs: startsAgain(before, { url, isActive }) ? nowMs : before.activeSinceMs,
          };
          if (isActive === undefined) return body;
          return withActivity(body, isActive, { atMs: nowMs, because: `Deactivated by ${actor(by).by}.` });
        },
      );
      return await shown(address, body);
    },

    rotate: async ({ environment, webhookId, keepOldSecret = false, by }, answer = {}) => {
      authorize(by, "manage", environment);
      const address = { environment, webhookId };
      const secrets = secretsOf(address);
      const secret = newWebhookSecret(ports.random);
      const sealed = secrets.seal(secret);
      const fact = { ...factOf(by, "rotated", address), details: { keepOldSecret } };
      let replaced: Pick<WebhookBody, "secret" | "oldSecret"> | undefined;
      const { oldSecret } = await writeShownOnce(answer, {
        write: () =>
          change(
            address,
            () => fact,
            ({ oldSecret: older, ...before }) => {
              replaced = { secret: before.secret, ...(older && { oldSecret: older }) };
              if (!keepOldSecret) return { ...before, secret: sealed };
              const kept = { secret: secrets.sealOld(secrets.open(before)), expiresAtMs: clock.now() + oldSecretMs };
              return { ...before, secret: sealed, oldSecret: kept };
            },
          ),
        undo: () =>
          change(
            address,
            () => undone(fact, "webhook.secret_restored"),
            (now) => {
              // A secret from a later rotation stays.
              if (now.secret !== sealed || replaced === undefined) return now;
              const { oldSecret: _, ...others } = now;
              return { ...others, ...replaced };
            },
          ),
      });
      return { webhookId, secret, oldSecretExpiresAtMs: oldSecret?.expiresAtMs };
    },

    remove: async ({ environment, webhookId, by }) => {
      authorize(by, "manage", environment);
      const address = { workspace, kind: webhookKind, id: webhookId };
      const row = await storage.records.get(address);
      // A webhook of the other environment: without access to that environment, removing it is forbidden.
      if (row !== undefined && row.environment !== environment) authorize(by, "manage", row.environment);
      if (row?.environment !== environment) throw unknownWebhook(environment, webhookId);
      const result = await ports.audit.record(factOf(by, "removed", { environment, webhookId }), (audit) =>
        storage.records.remove({ ...address, audit }),
      );
      if (result === "not_found") throw unknownWebhook(environment, webhookId);
    },

    test: async ({ environment, webhookId, event: wanted, by }) => {
      authorize(by, "manage", environment);
      const address = { environment, webhookId };
      const { url, events } = webhookBody(await find(address));
      const [event] = wanted === undefined ? events : checkEvents([wanted], "/event");
      if (event === undefined) throw new ProcedoError("invalid_input", "The webhook has no event. Name one.");
      const posted = {
        scope: scopeOf(environment),
        webhookId,
        event: {
          eventId: ports.ids("evt"),
          event,
          createdAtMs: clock.now(),
          data: JSON.stringify(sampleEventData(event, environment)),
        },
      };
      const { delivery } = await ports.audit.record({ ...factOf(by, "tested", address), details: { event } }, (audit) =>
        storage.deliveries.post({ ...posted, audit }),
      );
      return shownDelivery(delivery, url);
    },

    deliveries: async ({ environment, webhookId, ...page }) => {
      const { url } = webhookBody(await find({ environment, webhookId }));
      const { items, nextCursor } = await storage.deliveries.list({ scope: scopeOf(environment), webhookId, ...page });
      return { items: items.map((row) => shownDelivery(row, url)), nextCursor };
    },

    delivery: async ({ environment, webhookId, deliveryId }) => {
      const { url } = webhookBody(await find({ environment, webhookId }));
      const address = { scope: scopeOf(environment), webhookId, deliveryId };
      const row = await storage.deliveries.get(address);
      if (row === undefined) throw unknownDelivery(environment, webhookId, deliveryId);
      const attempts = await storage.deliveries.attempts(address);
      return {
        ...shownDelivery(row, url),
        data: JSON.parse(row.data) as JsonObject,
        attempts: attempts.map(shownAttempt),
      };
    },

    attempts: async ({ environment, webhookId, deliveryId }) => {
      await find({ environment, webhookId });
      const attempts = await storage.deliveries.attempts({ scope: scopeOf(environment), webhookId, deliveryId });
      return attempts.map(shownAttempt);
    },

    resend: async ({ environment, webhookId, deliveryId, by }) => {
      authorize(by, "manage", environment);
      const address = { environment, webhookId };
      const { url, isActive } = webhookBody(await find(address));
      // For an inactive webhook, the schedule of a waiting delivery would end it as skipped.
      const request = { scope: scopeOf(environment), webhookId, deliveryId, repeatMs, manual: !isActive };
      const result = await ports.audit.record(
        { ...factOf(by, "delivery_resent", address), details: { deliveryId } },
        (audit) => storage.deliveries.resend({ ...request, audit }),
      );
      if (result.status === "not_found") throw unknownDelivery(environment, webhookId, deliveryId);
      return shownDelivery(result.delivery, url);
    },

    resendSince: async ({ environment, webhookId, sinceMs, statuses = ["failed", "skipped"], cursor, by }) => {
      authorize(by, "manage", environment);
      const address = { environment, webhookId };
      const { isActive, deactivated } = webhookBody(await find(address));
      if (!isActive) throw inactiveWebhook(webhookId, deactivated);
      const details = { since: new Date(sinceMs).toISOString(), statuses };
      const fact = { ...factOf(by, "deliveries_resent", address), details };
      const request = { scope: scopeOf(environment), webhookId, statuses, sinceMs, cursor, repeatMs, fact };
      return await resendSince({ deliveries: storage.deliveries, audit: ports.audit }, request);
    },
  };
}
