import { ProcedoError, type Environment } from "@procedo/contract";
import type { HeldPrincipal, Principal } from "@procedo/engine";
import type { HttpRequest } from "../request/http-request.ts";
import { isOfApplication } from "./application-sign-in.ts";

/**
 * The key or session of a request, from its recognition until the answer was received. After the end of the key or
 * session, the engine stores nothing more for the request. The request is answered 401, or cut off if its answer is
 * already being sent. A change that was stored before is still answered normally, because its caller would otherwise
 * repeat it.
 */
export class HeldRequest {
  readonly #held: HeldPrincipal;
  readonly #address: string | undefined;
  readonly #end: (error: Error) => void;
  #endsWithKey: boolean;

  /**
   * @param onlyReads - whether the request changes nothing
   * @param end - answers the request with an error while its caller still waits
   */
  constructor(
    held: HeldPrincipal,
    { address }: Pick<HttpRequest, "address">,
    { onlyReads }: { readonly onlyReads: boolean },
    end: (error: Error) => void,
  ) {
    this.#held = held;
    this.#address = address;
    this.#endsWithKey = onlyReads;
    this.#end = end;
    held.whenDeleted(() => this.#endWithKey());
  }

  /** The only environment of a key; `undefined` for a session, whose request names one. */
  get environment(): Environment | undefined {
    return this.#held.environment;
  }

  /**
   * The principal in this environment, with the caller's address; without an environment, in the workspace as a whole.
   *
   * @throws ProcedoError `permission_denied` for a person without access to the environment
   */
  principalIn(environment: Environment | undefined): Principal {
    const principal = this.#held.principalIn(environment);
    return this.#address === undefined ? principal : { ...principal, address: this.#address };
  }

  /**
   * The name under which rate, places and memory of the request are counted. A key counts alone. The sessions of a person
   * count together, because a person may sign in as often as they like.
   */
  countedAs({ person, via }: Principal): string {
    const isPerson = this.environment === undefined || isOfApplication(this.#held);
    return isPerson ? `person ${person}` : (via ?? person);
  }

  /** Whether the key or the person can access the environment. */
  canAccess(environment: Environment): boolean {
    try {
      this.#held.principalIn(environment);
      return true;
    } catch (error) {
      if (ProcedoError.isError(error) && error.code === "permission_denied") return false;
      throw error;
    }
  }

  /**
   * Reads the body until the key or session ends. A slowly arriving body then releases its memory at once.
   *
   * @throws ProcedoError `unauthorized` when the key or session ends during the read
   */
  async reading<Read>(read: (signal: AbortSignal) => Promise<Read>): Promise<Read> {
    const reading = new AbortController();
    this.#held.whenDeleted(() => reading.abort(deletedMeanwhile()));
    return await read(reading.signal);
  }

  /** Checks again that the key or session exists, after any wait. @throws ProcedoError `unauthorized` */
  async check(): Promise<void> {
    if (!(await this.#held.stillExists())) throw deletedMeanwhile();
  }

  /** Marks the request's changes as stored; from now on the request only waits for their outcome. */
  waits(): void {
    this.#endsWithKey = true;
    this.#endWithKey();
  }

  /** A signal that fires with `other`, or when the key or session ends. */
  signalWith(other: AbortSignal): AbortSignal {
    return AbortSignal.any([other, this.deleted()]);
  }

  /** Fires when the key or session ends. */
  deleted(): AbortSignal {
    const controller = new AbortController();
    this.#held.whenDeleted(() => controller.abort());
    return controller.signal;
  }

  /** @throws ProcedoError `unauthorized` when the answer may no longer be sent */
  checkAnswer(): void {
    if (this.#endsWithKey && this.#held.isDeleted === true) throw deletedMeanwhile();
  }

  release(): void {
    this.#held.release();
  }

  #endWithKey(): void {
    if (this.#endsWithKey && this.#held.isDeleted === true) this.#end(deletedMeanwhile());
  }
}

function deletedMeanwhile(): ProcedoError {
  const message =
    "The key was deleted, or the session ended, during the request, which was refused. Changes stored before remain in " +
    "effect.";
  return new ProcedoError("unauthorized", message);
}
