import type { Environment } from "@procedo/contract";
import type { Principal } from "../access/principal.ts";

/** A webhook to be created. */
export interface NewWebhook {
  /** The address that receives the events. */
  readonly url: string;
  /** Names of its events, 1 to 100: `run_completed`, `run_failed`, `human_review_requested`, `custom.<name>`. */
  readonly events: readonly string[];
  /** The environment whose events it receives. */
  readonly environment: Environment;
  /** Name of the webhook for people, 1 to 200 characters. @defaultValue the address's host */
  readonly name?: string;
  /** Whether events are sent to it. @defaultValue true */
  readonly isActive?: boolean;
  /** The person or key that creates the webhook. */
  readonly by: Principal;
}

/** One webhook of one environment. */
export interface WebhookAddress {
  /** The environment of the webhook. */
  readonly environment: Environment;
  /** Identifier of the webhook. */
  readonly webhookId: string;
}

/** Changes to a webhook: each given field is replaced. Reactivating a webhook discards its earlier failures. */
export interface WebhookChanges extends WebhookAddress {
  /** The address that receives the events. @defaultValue unchanged */
  readonly url?: string;
  /** Names of its events, 1 to 100. @defaultValue unchanged */
  readonly events?: readonly string[];
  /** Name of the webhook for people, 1 to 200 characters. @defaultValue unchanged */
  readonly name?: string;
  /** Whether events are sent to it. @defaultValue unchanged */
  readonly isActive?: boolean;
  /** The person or key that changes the webhook. */
  readonly by: Principal;
}
