import { ProcedoError } from "@procedo/contract";
import type { HeldKey, Principal } from "@procedo/engine";
import type { HttpRequest } from "../request/http-request.ts";

/**
 * A request's key, from the moment at which it was recognized until its answer was taken. Once the key is deleted, the engine
 * writes nothing for the request, and the request is answered 401, or cut off when its answer is under way. Only a change that
 * was made before the deletion is still answered: its caller would make it once more.
 */
export class HeldRequest {
  /** Who acts. */
  readonly principal: Principal;
  readonly #key: HeldKey;
  readonly #end: (error: Error) => void;
  #endsWithKey: boolean;

  /**
   * @param reads - whether the request changes nothing
   * @param end - answers the request with an error, while it is being waited for
   */
  constructor(
    key: HeldKey,
    { address }: Pick<HttpRequest, "address">,
    { reads }: { readonly reads: boolean },
    end: (error: Error) => void,
  ) {
    this.principal = address === undefined ? key.principal : { ...key.principal, address };
    this.#key = key;
    this.#endsWithKey = reads;
    this.#end = end;
    key.whenDeleted(() => this.#endWithKey());
  }

  /**
   * Reads the body for as long as the key exists: bodies that arrive slowly give their room back as soon as it is deleted.
   *
   * @throws ProcedoError `unauthorized` when it is deleted meanwhile
   */
  async reading<Read>(read: (signal: AbortSignal) => Promise<Read>): Promise<Read> {
    const reading = new AbortController();
    this.#key.whenDeleted(() => reading.abort(deletedMeanwhile()));
    return await read(reading.signal);
  }

  /** Asks for the key again, after anything was waited for. @throws ProcedoError `unauthorized` */
  async check(): Promise<void> {
    if (!(await this.#key.stillExists())) throw deletedMeanwhile();
  }

  /** What was to be written is written, and the request only waits for what comes of it. */
  waits(): void {
    this.#endsWithKey = true;
    this.#endWithKey();
  }

  /** Also fires when the key is deleted. */
  signalWith(other: AbortSignal): AbortSignal {
    return AbortSignal.any([other, this.deleted()]);
  }

  /** Fires when the key is deleted. */
  deleted(): AbortSignal {
    const controller = new AbortController();
    this.#key.whenDeleted(() => controller.abort());
    return controller.signal;
  }

  /** @throws ProcedoError `unauthorized` when the answer is not to be given any more */
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
