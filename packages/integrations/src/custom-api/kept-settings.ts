import type { ApiAuthentication, FormatForms, JsonObject } from "@procedo/contract";
import type { ActionEffect } from "@procedo/engine";

/** Stored settings of a Custom API connection. Only `prepareConnection` creates them. */
export interface KeptSettings {
  readonly spec: KeptSpec;
  /**
   * Destination of calls. Omitted while a new document names another server and the change is not confirmed; the next
   * server that is named then applies.
   */
  readonly baseUrl?: string;
  readonly authentication: ApiAuthentication;
  readonly idempotencyHeader?: string;
  /** In milliseconds. */
  readonly idempotencyKeyTtlMs?: number;
  /** Headers of every request, by name. */
  readonly headers?: { readonly [name: string]: string };
  readonly formats?: FormatForms;
  readonly effects?: { readonly [action: string]: ActionEffect };
}

/** Metadata of the document. Its text is stored beside the settings. */
export interface KeptSpec {
  /** The address from which it was fetched. */
  readonly url?: string;
  readonly title: string;
  readonly version: string;
  /** Size as UTF-8. */
  readonly bytes: number;
  /** SHA-256, in hex. */
  readonly digest: string;
  /** The server that the document names, if any. */
  readonly baseUrl?: string;
}

/** Reads back the settings that `prepareConnection` created. */
export function keptSettings(settings: JsonObject): KeptSettings {
  return settings as unknown as KeptSettings;
}
