import type { ConnectionPlace } from "../connections/connection-record.ts";

/** The client of a private connection. Its token alone determines the connection and environment. */
export interface PrivateClient extends ConnectionPlace {
  /** SHA-256 of the token, which is checked again while a poll is held. */
  readonly tokenDigest: string;
}

/** A client's description of itself, which is only shown. */
export interface ClientSelf {
  /** Distinguishes the clients with the same token. Shortened to 128 characters. */
  readonly clientId?: string;
  /** Version of the client's program. @defaultValue none */
  readonly version?: string;
}
