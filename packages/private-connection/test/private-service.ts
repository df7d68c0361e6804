import type { Environment, JsonObject, JsonValue } from "@procedo/contract";

/** What became of a call, as the procedure sees it. */
export type Settled =
  /** `output` is left out when the function returned nothing. */
  | { readonly status: "ok"; readonly output?: JsonValue }
  | { readonly status: "error"; readonly error: string }
  /** The client was lost in a function that is not idempotent: a person decides. */
  | { readonly status: "unknown" };

export interface Call {
  /** Resolves with the first thing that is known. */
  readonly settled: Promise<Settled>;
  /** What is known now. */
  readonly state: Settled | undefined;
}

/** The service as these tests need it. The fake is one; the real one can stand in its place. */
export interface PrivateService extends AsyncDisposable {
  /** The SDK address. */
  readonly url: string;
  /** The authority of its certificate, in PEM; left out where it speaks plain HTTP. */
  readonly ca?: string;
  readonly environment: Environment;
  /** What a procedure sees of a function that returned nothing. */
  readonly nothing: Settled;
  /** The connection's newest token. */
  readonly token: string;
  /** Calls a function, as a procedure's step does. */
  call(name: string, input?: JsonObject): Call;
  /** The token before is dead at once. */
  regenerateToken(): Promise<string>;
  /** Names of the functions that clients registered. */
  registeredFunctions(): Promise<readonly string[]>;
}
