/** Facts about the service that people see. */
export interface About {
  /** Version of the service. */
  readonly version: string;
  /** Purposes for which the service has a language model. */
  readonly models: readonly string[];
  /** IANA time zone of the service's days. */
  readonly timeZone: string;
  /** The process that serves the interface, shown to owners. It must not contain secrets. @defaultValue not shown */
  readonly deployment?: Deployment;
}

/** A process of the service. */
export interface Deployment {
  /** Version of Node.js, such as `v24.7.0`. */
  readonly node: string;
  /** Kind of its database. */
  readonly storage: "sqlite" | "postgres";
  /** Version of the database's schema: its number of migrations. */
  readonly schemaVersion: number;
  /** Whether it serves HTTP, executes runs, or both. */
  readonly role: "all" | "http" | "execute";
  /** How long it waits for calls in progress when it is stopped, in milliseconds. */
  readonly drainMs: number;
  /** Networks that outgoing requests may reach in addition to the public internet. */
  readonly allowNetworks: readonly string[];
}

/** Public addresses of the interface, without a slash at the end. */
export interface Addresses {
  readonly runnerUrl: string;
  readonly appUrl: string;
  readonly sdkUrl: string;
}
