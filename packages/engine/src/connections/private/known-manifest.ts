/** A manifest that clients of a connection have registered. */
export interface KnownManifest {
  readonly digest: string;
  /** When a client did so last, give or take a minute. */
  readonly registeredAtMs: number;
}
