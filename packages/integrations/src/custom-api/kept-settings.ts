import type { ApiAuthentication, FormatForms, JsonObject } from "@procedo/contract";
import type { ActionEffect } from "@procedo/engine";

/** Settings of a Custom API connection as they are kept: `prepareConnection` makes them, nobody else. */
export interface KeptSettings {
  readonly spec: KeptSpec;
  /**
   * Where calls go. Left out while the document names another server than the one before, and nobody has confirmed it:
   * whichever is named next holds.
   */
  readonly baseUrl?: string;
  readonly authentication: ApiAuthentication;
  readonly idempotencyHeader?: string;
  /** In milliseconds. */
  readonly idempotencyKeyTtlMs?: number;
  /** Of every request, by name. */
  readonly headers?: { readonly [name: string]: string };
  readonly formats?: FormatForms;
  readonly effects?: { readonly [action: string]: ActionEffect };
}

/** What is told of the document; its text is kept beside the settings. */
export interface KeptSpec {
  /** Where it was fetched. */
  readonly url?: string;
  readonly title: string;
  readonly version: string;
  /** As UTF-8. */
  readonly bytes: number;
  /** SHA-256, in hex. */
  readonly digest: string;
  /** The server that it names, if any. */
  readonly baseUrl?: string;
}

/** The settings that `prepareConnection` made, as they come back from where they are kept. */
export function keptSettings(settings: JsonObject): KeptSettings {
  return settings as unknown as KeptSettings;
}
