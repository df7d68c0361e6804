/** A manifest that clients of a connection have registered. */
export interface KnownManifest {
  readonly digest: string;
  /** Time of the last registration, accurate to a minute. */
  readonly registeredAtMs: number;
}
