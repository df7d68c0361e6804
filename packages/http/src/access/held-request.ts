import { ProcedoError } from "@procedo/contract";
import type { HeldKey, Principal } from "@procedo/engine";
import type { HttpRequest } from "../request/http-request.ts";
import { holdKey, type AccessPorts } from "./authenticate.ts";

/**
 * A request's key, from the moment at which its work begins until its answer was taken. Once the key is deleted, the engine writes
 * nothing for the request, and the request is answered 401, or cut off when its answer is under way. Only a change that
 * was made before the deletion is still answered: its caller would make it once more.
 */
export class HeldRequest {
  readonly #access: AccessPorts;
  readonly #request: HttpRequest;
  readonly #end: (error: Error) => void;
  #endsWithKey: boolean;
  #held: HeldKey | undefined;

  /**
   * @param reads - whether the request changes nothing
   * @param end - answers the request with an error, while it is being waited for
   */
  constructor(
    access: AccessPorts,
    request: HttpRequest,
    { reads }: { readonly reads: boolean },
    end: (error: Error) => void,
  ) {
    this.#access = access;
    this.#request = request;
    this.#endsWithKey = reads;
    this.#end = end;
  }

  /**
   * Reads the body for as long as the key exists: bodies that arrive slowly give their room back as soon as it is deleted.
   *
   * @throws ProcedoError `unauthorized` when it is deleted meanwhile
   */
  async reading<Read>(read: (signal: AbortSignal) => Promise<Read>): Promise<Read> {
    const held = await holdKey(this.#access, this.#request);
    const reading = new AbortController();
    held.whenDeleted(() => reading.abort(deletedMeanwhile()));
    try {
      return await read(reading.signal);
    } finally {
      held.release();
    }
  }

  /** Asks for the key again: who acts, as of now. @throws ProcedoError as `authenticate` */
  async begin(): Promise<Principal> {
    const { address } = this.#request;
    const held = await holdKey(this.#access, this.#request);
    this.#held = held;
    held.whenDeleted(() => this.#endWithKey());
    return address === undefined ? held.principal : { ...held.principal, address };
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
    this.#held?.whenDeleted(() => controller.abort());
    return controller.signal;
  }

  /** @throws ProcedoError `unauthorized` when the answer is not to be given any more */
  checkAnswer(): void {
    if (this.#endsWithKey && this.#held?.isDeleted === true) throw deletedMeanwhile();
  }

  release(): void {
    this.#held?.release();
  }

  #endWithKey(): void {
    if (this.#endsWithKey && this.#held?.isDeleted === true) this.#end(deletedMeanwhile());
  }
}

function deletedMeanwhile(): ProcedoError {
  const message =
    "The key was deleted while its request was under way. The request is not answered; what was written before goes on.";
  return new ProcedoError("unauthorized", message);
}
