/**
 * A request's place among those that wait for an external service, until its work is done, even if the caller
 * disconnects.
 */
export class OutsidePlace {
  readonly #take: () => () => void;
  /** Number of concurrent external waits. */
  #count = 0;
  #leave = (): void => {};

  constructor(take: () => () => void) {
    this.#take = take;
  }

  /** @throws ProcedoError `rate_limited` */
  tell(isOutside: boolean): void {
    if (isOutside && this.#count === 0) this.#leave = this.#take();
    this.#count += isOutside ? 1 : -1;
    if (this.#count === 0) this.#leave();
  }
}
