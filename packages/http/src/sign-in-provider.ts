import { checkOptionNames, kindOf, ProcedoError, quotedValue, type SignInError } from "@procedo/contract";

/**
 * An identity provider at which people sign in. An implementation owns the protocol; the interface owns routes, cookies
 * and sessions. Methods resolve to a failure instead of rejecting, within 25 seconds.
 */
export interface SignInProvider {
  /** Part of the paths of a sign-in: 1 to 40 lower-case letters, digits and hyphens. */
  readonly id: string;
  /** Name for people, such as `Example Ltd`. */
  readonly name: string;
  /**
   * The role in both environments of an account that was not invited. It is given once the service has an owner.
   *
   * @defaultValue none: an invitation of the account's e-mail address is needed
   */
  readonly creates?: "viewer";
  /**
   * Begins a sign-in.
   *
   * @param request.redirectUri - the address to which the provider sends the browser
   * @param request.returnTo - the path to return from `finish`. The state has to carry it, protected against changes
   * @param request.address - the network address of the browser, for limits; `undefined` when unknown
   */
  start(request: {
    readonly redirectUri: string;
    readonly returnTo: string;
    readonly address?: string | undefined;
  }): Promise<SignInStart | SignInFailure>;
  /**
   * Verifies that the browser signed in at the provider, in the sign-in that it began, at most 10 minutes ago.
   *
   * @param request.url - the address to which the provider sent the browser: the redirect URI, with the provider's answer
   * @param request.state - the state of `start`, as the browser's cookie had it; anything else from an attacker
   * @param request.address - as for `start`
   */
  finish(request: {
    readonly url: string;
    readonly state: string;
    readonly address?: string | undefined;
  }): Promise<SignInAccount | SignInFailure>;
}

/** A sign-in that began. */
export interface SignInStart {
  readonly kind: "started";
  /** The address at the provider to which the browser is sent. */
  readonly url: string;
  /**
   * What `finish` has to know, for a cookie of the browser: at most 2,000 letters, digits, hyphens, underscores and dots.
   * It is encrypted or refers to a stored state, and ends with the sign-in.
   */
  readonly state: string;
}

/** An account whose owner signed in at the provider. */
export interface SignInAccount {
  readonly kind: "account";
  /** The provider's `iss`. */
  readonly issuer: string;
  /** The provider's `sub` of the account. */
  readonly subject: string;
  /** The account's e-mail address; left out unless the provider states that it is verified. */
  readonly email?: string;
  /** The person's name, 1 to 200 characters. @defaultValue the e-mail address */
  readonly name?: string;
  /** The path from `start`. */
  readonly returnTo: string;
}

/** A sign-in that failed. */
export interface SignInFailure {
  readonly kind: "failed";
  /** The reason for the person. */
  readonly error: SignInError;
  /** The reason for the operator's log, without secrets and without text of the caller. */
  readonly reason: string;
}

/** @throws ProcedoError `invalid_configuration` */
export function providersOf(given: readonly SignInProvider[] = []): ReadonlyMap<string, SignInProvider> {
  const providers = new Map<string, SignInProvider>();
  const list: unknown = given;
  if (!Array.isArray(list)) throw invalid(`is ${kindOf(list)}. Give a list of identity providers.`);
  for (const provider of given) {
    const members = { id: true, name: true, creates: true, start: true, finish: true } as const;
    checkOptionNames("signIn", members, provider, "invalid_configuration");
    const { id, name, creates, start, finish } = provider as { readonly [Name in keyof SignInProvider]: unknown };
    if (typeof id !== "string" || !/^[a-z0-9-]{1,40}$/.test(id)) {
      throw invalid(`has the id ${quotedValue(id)}. Give 1 to 40 lower-case letters, digits and hyphens.`);
    }
    if (providers.has(id)) throw invalid(`has the id ${quotedValue(id)} twice. Give each provider its own.`);
    if (typeof name !== "string" || name === "") throw invalid(`has a provider "${id}" without a name. Give one.`);
    if (creates !== undefined && creates !== "viewer") {
      throw invalid(`has a provider "${id}" that creates ${quotedValue(creates)}. Give "viewer", or leave it out.`);
    }
    if (typeof start !== "function" || typeof finish !== "function") {
      throw invalid(`has a provider "${id}" without the functions start and finish. Give both.`);
    }
    providers.set(id, provider);
  }
  return providers;
}

function invalid(problem: string): ProcedoError {
  return new ProcedoError("invalid_configuration", `The option signIn ${problem}`);
}
