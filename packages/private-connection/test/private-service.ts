import type { Environment, JsonObject, JsonValue } from "@procedo/contract";

/** The outcome of a call, as the procedure sees it. */
export type Settled =
  /** `output` is omitted if the function returned nothing. */
  | { readonly status: "ok"; readonly output?: JsonValue }
  | { readonly status: "error"; readonly error: string }
  /** The client was lost during a non-idempotent function: a person decides. */
  | { readonly status: "unknown" };

export interface Call {
  /** Resolves with the first known outcome. */
  readonly settled: Promise<Settled>;
  /** The outcome known now. */
  readonly state: Settled | undefined;
}

/** The service in these tests: the fake one, or the real one in its place. */
export interface PrivateService extends AsyncDisposable {
  /** The SDK address. */
  readonly url: string;
  /** The certificate authority in PEM; omitted for plain HTTP. */
  readonly ca?: string;
  readonly environment: Environment;
  /** The output of a function that returned nothing, as a procedure sees it. */
  readonly nothing: Settled;
  /** The connection's newest token. */
  readonly token: string;
  /** Calls a function like a procedure's step. */
  call(name: string, input?: JsonObject): Call;
  /** The previous token is invalid at once. */
  regenerateToken(): Promise<string>;
  /** Names of the registered functions. */
  registeredFunctions(): Promise<readonly string[]>;
}
