import type { Storage } from "@procedo/storage";

/** The data of a service: an open storage and its master key. */
export interface OpenData {
  readonly storage: Storage;
  readonly masterKey: Uint8Array;
  /** Version of the database's schema. */
  readonly schemaVersion: number;
}
