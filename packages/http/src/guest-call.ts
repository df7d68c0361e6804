import type { Engine, LogFields } from "@procedo/engine";
import type { About } from "./about.ts";
import type { BrowserCookie } from "./access/browser-cookie.ts";
import type { SignInProvider } from "./sign-in-provider.ts";

/** A request of a caller who has not signed in. */
export interface GuestCall<Params = unknown, Query = unknown, Body = unknown> {
  readonly engine: Engine;
  readonly params: Params;
  /** Network address of the caller; `undefined` when unknown. */
  readonly address: string | undefined;
  readonly query: Query;
  readonly body: Body;
  readonly header: (name: string) => string | undefined;
  readonly cookie: BrowserCookie;
  /** The cookie of sign-ins at identity providers. */
  readonly signInCookie: BrowserCookie;
  /** The identity providers, by id. */
  readonly signIn: ReadonlyMap<string, SignInProvider>;
  readonly about: About;
  /** Base address of the application, as callers reach it. */
  readonly appUrl: string;
  /**
   * Counts a failed attempt of the address, whose answer is no error, and logs a warning. Of one address, 20 warnings
   * are logged at once, and then 20 a minute.
   */
  readonly noteFailure: (message: string, fields: LogFields) => void;
  /** Extends the time limit of the answer by `ms`. */
  readonly extend: (ms: number) => void;
  /** Whether the caller still waits for the answer. Checked before creating a secret that only the answer shows. */
  readonly isAwaited: () => boolean;
}
