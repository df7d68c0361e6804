import {
  environments,
  kindOf,
  nameProblem,
  normalName,
  personPermissions,
  ProcedoError,
  quotedValue,
  type Environment,
  type PersonPermission,
} from "@procedo/contract";
import type { Clock, HeldPrincipal, Principal } from "@procedo/engine";
import type { HttpRequest } from "../request/http-request.ts";

/** A request as the application's own sign-in sees it: without the body. */
export type RequestHead = Pick<HttpRequest, "method" | "path" | "query" | "address" | "header">;

/** A person whom the application has signed in. The permissions are named, since the default gives all of them. */
export type ApplicationPrincipal = Principal & Required<Pick<Principal, "permissions">>;

/** The application's own sign-in. */
export interface ApplicationSignIn {
  /**
   * Asks the application who sent a request, and holds the principal until released.
   *
   * @throws Error when the application's answer is no principal
   */
  hold(request: RequestHead): Promise<HeldPrincipal | undefined>;
}

/** Interval at which the application is asked again during a request. */
const recheckMs = 5_000;
/** Time of the application for its answer. Shorter than that of the service for the whole request. */
const answerMs = 3_000;

export function createApplicationSignIn(
  clock: Pick<Clock, "after">,
  authenticate: (request: RequestHead) => Promise<ApplicationPrincipal | undefined>,
): ApplicationSignIn {
  return {
    hold: async ({ method, path, query, address, header }) => {
      const head: RequestHead = { method, path, query, address, header: (name) => header(name) };
      const ask = async (): Promise<Principal | undefined> => checkedPrincipal(await authenticate(head));
      const principal = await inAnswerTime(clock, ask());
      return principal && new HeldApplicationPrincipal(clock, principal, ask);
    },
  };
}

/** Whether a request's principal was signed in by the application. */
export function isOfApplication(held: HeldPrincipal): boolean {
  return held instanceof HeldApplicationPrincipal;
}

/** A request's hold on a principal of the application, who is asked about again while the request lasts. */
class HeldApplicationPrincipal implements HeldPrincipal {
  isDeleted = false;
  readonly #clock: Pick<Clock, "after">;
  readonly #principal: Principal;
  readonly #ask: () => Promise<Principal | undefined>;
  readonly #callbacks: (() => void)[] = [];
  #isReleased = false;
  #cancel: () => void = () => {};

  constructor(clock: Pick<Clock, "after">, principal: Principal, ask: () => Promise<Principal | undefined>) {
    this.#clock = clock;
    this.#principal = principal;
    this.#ask = ask;
    this.#askLater();
  }

  get environment(): Environment | undefined {
    return this.#principal.environment;
  }

  principalIn(): Principal {
    const { isRevoked } = this.#principal;
    return { ...this.#principal, isRevoked: () => this.isDeleted || isRevoked?.() === true };
  }

  stillExists(): Promise<boolean> {
    return inAnswerTime(this.#clock, this.#confirm());
  }

  async #confirm(): Promise<boolean> {
    const now = await this.#ask();
    if (now === undefined || textOf(now) !== textOf(this.#principal)) this.#end();
    return !this.isDeleted;
  }

  whenDeleted(callback: () => void): void {
    if (this.isDeleted) callback();
    else this.#callbacks.push(callback);
  }

  release(): void {
    this.#isReleased = true;
    this.#cancel();
  }

  /** Ends the hold unless the application confirms the principal before it would be asked once more. */
  #askLater(): void {
    let isAnswered = true;
    const next = (): void => {
      this.#cancel = this.#clock.after(recheckMs, () => {
        if (!isAnswered) return this.#end();
        isAnswered = false;
        this.#confirm().then(
          () => (isAnswered = true),
          () => this.#end(),
        );
        next();
      });
    };
    next();
  }

  #end(): void {
    if (this.isDeleted || this.#isReleased) return;
    this.isDeleted = true;
    this.#cancel();
    for (const callback of this.#callbacks.splice(0)) callback();
  }
}

/** @throws ProcedoError `overloaded` when the application does not answer in time; its answer is then ignored */
function inAnswerTime<T>(clock: Pick<Clock, "after">, answering: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(answerMs, () => {
      const message =
        `The application did not tell within ${answerMs} ms who sent the request (option authenticate of createHttp). ` +
        "Send the request again.";
      reject(new ProcedoError("overloaded", message));
    });
    void answering.then(resolve, reject).finally(cancel);
  });
}

/** What a principal may do, as text: another text ends the request. */
function textOf({ person, via, roles, permissions, environment, permissionsElsewhere }: Principal): string {
  return JSON.stringify([person, via, roles, permissions, environment, permissionsElsewhere]);
}

/** @throws Error, which is logged and answered as an internal error: the application has to be changed */
function checkedPrincipal(given: unknown): Principal | undefined {
  if (given === undefined) return undefined;
  if (typeof given !== "object" || given === null) {
    throw wrong(`is ${kindOf(given)}. Resolve to a principal, or to undefined`);
  }
  const principal = given as { readonly [Name in keyof Principal]: unknown };
  const { person, via, roles = [], permissions, environment, permissionsElsewhere, isRevoked } = principal;
  const problem = typeof person === "string" ? nameProblem(person) : "is no text";
  if (typeof person !== "string" || problem !== undefined) throw wrong(`has a person that ${problem}`);
  if (via !== undefined && typeof via !== "string") throw wrong("has a via that is no text");
  if (!isNames(roles)) throw wrong("has roles that are no list of names");
  if (!arePermissions(permissions)) throw wrong(`has permissions that are no list of ${personPermissions.join(", ")}`);
  if (permissionsElsewhere !== undefined && !arePermissions(permissionsElsewhere)) {
    throw wrong(`has permissionsElsewhere that are no list of ${personPermissions.join(", ")}`);
  }
  if (environment !== undefined && !environments.some((known) => known === environment)) {
    throw wrong(`has the environment ${quotedValue(environment)}. Give one of ${environments.join(", ")}, or none`);
  }
  return {
    person: normalName(person),
    roles: [...roles],
    permissions: [...permissions],
    ...(via !== undefined && { via }),
    ...(environment !== undefined && { environment: environment as Environment }),
    ...(permissionsElsewhere !== undefined && { permissionsElsewhere: [...permissionsElsewhere] }),
    ...(typeof isRevoked === "function" && { isRevoked: isRevoked as () => boolean }),
  };
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string" && nameProblem(one) === undefined);
}

function arePermissions(value: unknown): value is readonly PersonPermission[] {
  return Array.isArray(value) && value.every((one) => (personPermissions as readonly unknown[]).includes(one));
}

function wrong(problem: string): Error {
  return new Error(`The result of the option authenticate ${problem}.`);
}
