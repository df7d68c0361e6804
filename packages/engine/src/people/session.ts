import type { SessionRow } from "@procedo/storage";
import type { HeldPrincipal } from "../access/held-principal.ts";
import type { Principal } from "../access/principal.ts";
import type { ShownOnce } from "../audit/shown-once.ts";
import type { Person } from "./person.ts";
import type { Identity } from "./person-record.ts";

/** A session of a person, without its token. */
export interface Session {
  /** Identifier of the session. */
  readonly sessionId: string;
  /** The person who signed in. */
  readonly personId: string;
  /** Time of the sign-in, in milliseconds since the epoch. */
  readonly createdAtMs: number;
  /** Last use, to the minute, in milliseconds since the epoch. */
  readonly seenAtMs: number;
  /** When the session ends even while it is used, in milliseconds since the epoch. It also ends 12 hours after its last use. */
  readonly expiresAtMs: number;
  /** The `User-Agent` of the sign-in. */
  readonly userAgent?: string;
  /** The address from which the person signed in. */
  readonly address?: string;
}

/** A new session. Its token is shown once. */
export interface SignedIn {
  /** The token: `ses_` and 43 characters. */
  readonly token: string;
  /** The session. */
  readonly session: Session;
  /** The person who signed in. */
  readonly person: Person;
}

/** A request's hold on its session. */
export interface HeldSession extends HeldPrincipal {
  /** The session. */
  readonly session: Session;
}

/** The origin of a sign-in, which the person sees in the list of their sessions. */
export interface SignInOrigin {
  /** The address of the request's sender. */
  readonly address?: string;
  /** The `User-Agent` of the request. */
  readonly userAgent?: string;
}

/**
 * Sessions of people. A session ends 12 hours after its last use, and 7 days after the sign-in. A person has at most 50:
 * a sign-in beyond them ends the session that was unused for longest.
 */
export interface Sessions {
  /**
   * Signs a person in by password. Unknown addresses, wrong passwords and people who are not active get the same error
   * after the same work. After 5 failures with one e-mail address, each further attempt has to wait: 1 second at first,
   * then twice as long each time, up to a minute. An `address` without failures of its own waits for a second at most
   * while another `address` guesses. Without `address`, all callers are one.
   *
   * @throws ProcedoError `unauthorized`; `rate_limited` with `retryAfterMs`; `overloaded` when the caller no longer
   *   waits: no session remains
   */
  signIn(
    request: { readonly email: string; readonly password: string } & SignInOrigin,
    answer?: ShownOnce,
  ): Promise<SignedIn>;
  /**
   * Signs a person in whom the caller has authenticated, such as by OpenID Connect. The request names the person by
   * `personId` or `identity`.
   *
   * @throws ProcedoError `unauthorized` for an unknown or inactive person; `overloaded` as `signIn`
   */
  signInAs(
    request: { readonly personId?: string; readonly identity?: Identity } & SignInOrigin,
    answer?: ShownOnce,
  ): Promise<SignedIn>;
  /**
   * Authenticates a request by the session's token; `undefined` for an unknown, ended or expired one, and for a person
   * who is not active. The hold is notified of the session's end until it is released, and the caller must release it.
   * With `isUse: false`, the request does not prolong the session.
   *
   * @throws ProcedoError `storage_unavailable`
   */
  hold(token: string, options?: { readonly isUse?: boolean }): Promise<HeldSession | undefined>;
  /** The person's sessions, newest first; at most 1,000. */
  list(request: { readonly personId: string }): Promise<readonly Session[]>;
  /**
   * Ends a session of a person: by the person, or by an owner of both environments, which is recorded.
   *
   * @throws ProcedoError `session_not_found`, `person_not_found`, `permission_denied`, `environment_mismatch`
   */
  end(request: { readonly personId: string; readonly sessionId: string; readonly by: Principal }): Promise<void>;
  /**
   * Ends all sessions of a person, except `sessionId` if it is given; by the same people as `end`.
   *
   * @throws ProcedoError `person_not_found`, `permission_denied`, `environment_mismatch`
   */
  endOthers(request: { readonly personId: string; readonly sessionId?: string; readonly by: Principal }): Promise<void>;
  /**
   * Changes the person's password, ends all their sessions, and begins a new one. Wrong passwords are delayed as
   * failed sign-ins are, and counted apart from them: guests do not delay a person with a session.
   *
   * @throws ProcedoError `invalid_input` for a wrong present password, and for a new one that is easily guessed;
   *   `session_not_found`, `person_not_found`, `rate_limited`; `overloaded` when the caller no longer waits: no session
   *   remains, and the message says whether the password was changed
   */
  changePassword(
    request: {
      readonly personId: string;
      readonly sessionId: string;
      readonly current: string;
      readonly next: string;
    },
    answer?: ShownOnce,
  ): Promise<Pick<SignedIn, "token" | "session">>;
}

export function shownSession(row: SessionRow): Session {
  const { sessionId, personId, createdAtMs, seenAtMs, endsAtMs: expiresAtMs, userAgent, address } = row;
  return {
    sessionId,
    personId,
    createdAtMs,
    seenAtMs,
    expiresAtMs,
    ...(userAgent !== undefined && { userAgent }),
    ...(address !== undefined && { address }),
  };
}
