import { ProcedoError, type Environment } from "@procedo/contract";
import {
  webhookEventKey,
  type DeliveryRow,
  type Page,
  type PageRequest,
  type Scope,
  type Storage,
} from "@procedo/storage";
import { actor, authorize, type Principal } from "../access/principal.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import type { Outgoing } from "../outgoing/outgoing.ts";
import type { Ids } from "../ports/ids.ts";
import type { Random } from "../ports/random.ts";
import type { SecretBox } from "../secrets/secret-box.ts";

/** A receiver of events. */
export interface Webhook {
  readonly webhookId: string;
  readonly name: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly isActive: boolean;
  readonly environment: Environment;
  readonly createdAtMs: number;
}

export interface NewWebhook {
  readonly url: string;
  /** `run_completed`, `run_failed`, `human_review_requested`, `custom.<name>` */
  readonly events: readonly string[];
  readonly environment: Environment;
  /** @defaultValue the address's host */
  readonly name?: string;
  /** @defaultValue true */
  readonly isActive?: boolean;
  readonly by: Principal;
}

/** Who is told of events. Deliveries are written together with the event that they are of. */
export interface Webhooks {
  /**
   * The signing secret is in this answer and nowhere else.
   *
   * @throws ProcedoError `invalid_input` for a URL or event name that is none, `destination_not_allowed`
   */
  create(webhook: NewWebhook): Promise<Webhook & { readonly secret: string }>;
  list(request: { readonly environment: Environment }): Promise<readonly Webhook[]>;
  /** @throws ProcedoError `webhook_not_found` */
  remove(request: {
    readonly environment: Environment;
    readonly webhookId: string;
    readonly by: Principal;
  }): Promise<void>;
  /** Newest first. */
  deliveries(
    request: { readonly environment: Environment; readonly webhookId: string } & PageRequest,
  ): Promise<Page<DeliveryRow>>;
}

interface WebhookBody extends Omit<Webhook, "webhookId" | "environment"> {
  /** Encrypted. */
  readonly secret: string;
}

const kind = "webhook";
const maxListed = 1000;
const builtInEvents = ["run_completed", "run_failed", "human_review_requested"];
const customEvent = /^custom\.[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export function createWebhooks(ports: {
  readonly storage: Pick<Storage, "records" | "deliveries">;
  readonly workspace: string;
  readonly outgoing: Pick<Outgoing, "check">;
  readonly secretBox: SecretBox;
  readonly audit: AuditLog;
  readonly ids: Ids;
  readonly random: Random;
  readonly clock: { now(): number };
}): Webhooks {
  const { storage, workspace } = ports;
  const scopeOf = (environment: Environment): Scope => ({ workspace, environment });
  return {
    create: async ({ url, events, environment, name, isActive = true, by }) => {
      authorize(by, "manage", environment);
      checkEvents(events);
      await ports.outgoing.check(url);
      const webhookId = ports.ids("whk");
      const secret = `whsec_${Buffer.from(ports.random.bytes(32)).toString("base64url")}`;
      const shown = {
        name: name ?? new URL(url).host,
        url,
        events: [...new Set(events)],
        isActive,
        createdAtMs: ports.clock.now(),
      };
      const place = { workspaceId: workspace, environment, kind, id: webhookId, field: "secret" };
      const body: WebhookBody = { ...shown, secret: ports.secretBox.seal(secret, place) };
      const record = {
        workspace,
        environment,
        kind,
        id: webhookId,
        body: JSON.stringify(body),
        uniqueKeys: [],
        keys: isActive ? shown.events.map((event) => webhookEventKey(scopeOf(environment), event)) : [],
      };
      const fact = { ...actor(by), action: "webhook.created", subject: `${environment}/${webhookId}` };
      await ports.audit.record(fact, (audit) => storage.records.put({ record, ifRevision: 0, audit }));
      return { webhookId, environment, ...shown, secret };
    },
    list: async ({ environment }) => {
      const page = await storage.records.list({ workspace, environment, kind, limit: maxListed });
      return page.items.map((row) => {
        const { secret: _secret, ...shown } = JSON.parse(row.body) as WebhookBody;
        return { webhookId: row.id, environment, ...shown };
      });
    },
    remove: async ({ environment, webhookId, by }) => {
      authorize(by, "manage", environment);
      const address = { workspace, kind, id: webhookId };
      const row = await storage.records.get(address);
      const fact = { ...actor(by), action: "webhook.removed", subject: `${environment}/${webhookId}` };
      const result =
        row?.environment === environment
          ? await ports.audit.record(fact, (audit) => storage.records.remove({ ...address, audit }))
          : "not_found";
      if (result === "not_found") {
        throw new ProcedoError("webhook_not_found", `There is no webhook "${webhookId}" in ${environment}.`);
      }
    },
    deliveries: ({ environment, webhookId, ...page }) =>
      storage.deliveries.list({ scope: scopeOf(environment), webhookId, ...page }),
  };
}

function checkEvents(events: readonly string[]): void {
  const details = events.flatMap((event, index) =>
    builtInEvents.includes(event) || customEvent.test(event)
      ? []
      : [
          {
            path: `/events/${index}`,
            message: `"${event}" is no event; use ${builtInEvents.join(", ")} or custom.<name>.`,
          },
        ],
  );
  if (events.length === 0) details.push({ path: "/events", message: "Name at least one event." });
  if (details.length > 0) throw new ProcedoError("invalid_input", "The webhook's events are not valid.", { details });
}
