import type { ConnectionPlace } from "../connections/connection-record.ts";

/** The client of a private connection, identified by its token alone: connection and environment are the token's. */
export interface PrivateClient extends ConnectionPlace {
  /** SHA-256 of the token, which is checked again for as long as a poll is held. */
  readonly tokenDigest: string;
}

/** A client's description of itself, which is only shown. */
export interface ClientSelf {
  /** Tells the clients of one token apart. Cut after 128 characters. */
  readonly clientId?: string;
  readonly version?: string;
}
