import type { Storage } from "@procedo/storage";

/** What a service is made of: its storage, open, and the key to what is in it. */
export interface OpenData {
  readonly storage: Storage;
  readonly masterKey: Uint8Array;
}
