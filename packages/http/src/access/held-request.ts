import { ProcedoError } from "@procedo/contract";
import type { HeldKey, Principal } from "@procedo/engine";
import type { HttpRequest } from "../request/http-request.ts";

/**
 * The key of a request, from its recognition until the answer was received. After the deletion of the key, the engine
 * stores nothing more for the request. The request is answered 401, or cut off if its answer is already being sent. A
 * change that was stored before the deletion is still answered normally, because its caller would otherwise repeat it.
 */
export class HeldRequest {
  /** The principal of the key, with the caller's address. */
  readonly principal: Principal;
  readonly #key: HeldKey;
  readonly #end: (error: Error) => void;
  #endsWithKey: boolean;

  /**
   * @param reads - whether the request changes nothing
   * @param end - answers the request with an error while its caller still waits
   */
  constructor(
    key: HeldKey,
    { address }: Pick<HttpRequest, "address">,
    { reads }: { readonly reads: boolean },
    end: (error: Error) => void,
  ) {
    const principal = key.principalIn();
    this.principal = address === undefined ? principal : { ...principal, address };
    this.#key = key;
    this.#endsWithKey = reads;
    this.#end = end;
    key.whenDeleted(() => this.#endWithKey());
  }

  /**
   * Reads the body until the key is deleted. A slowly arriving body releases its memory as soon as the key is deleted.
   *
   * @throws ProcedoError `unauthorized` when the key is deleted during the read
   */
  async reading<Read>(read: (signal: AbortSignal) => Promise<Read>): Promise<Read> {
    const reading = new AbortController();
    this.#key.whenDeleted(() => reading.abort(deletedMeanwhile()));
    return await read(reading.signal);
  }

  /** Checks again that the key exists, after any wait. @throws ProcedoError `unauthorized` */
  async check(): Promise<void> {
    if (!(await this.#key.stillExists())) throw deletedMeanwhile();
  }

  /** Marks the request's changes as stored; from now on the request only waits for their outcome. */
  waits(): void {
    this.#endsWithKey = true;
    this.#endWithKey();
  }

  /** A signal that fires with `other`, or when the key is deleted. */
  signalWith(other: AbortSignal): AbortSignal {
    return AbortSignal.any([other, this.deleted()]);
  }

  /** Fires when the key is deleted. */
  deleted(): AbortSignal {
    const controller = new AbortController();
    this.#key.whenDeleted(() => controller.abort());
    return controller.signal;
  }

  /** @throws ProcedoError `unauthorized` when the answer may no longer be sent */
  checkAnswer(): void {
    if (this.#endsWithKey && this.#key.isDeleted === true) throw deletedMeanwhile();
  }

  release(): void {
    this.#key.release();
  }

  #endWithKey(): void {
    if (this.#endsWithKey && this.#key.isDeleted === true) this.#end(deletedMeanwhile());
  }
}

function deletedMeanwhile(): ProcedoError {
  const message =
    "The key was deleted during its request, which was refused. Changes stored before the deletion remain in effect.";
  return new ProcedoError("unauthorized", message);
}
