import type { Clock, Slices } from "@procedo/engine";
import type { HeavyAnswer, HeavyAnswerLimiter } from "../access/heavy-answer-limiter.ts";
import type { Environment } from "@procedo/contract";
import { jsonPieces } from "./json-pieces.ts";

/** Time for a caller to read an answer that exceeds the socket's buffers; then the socket is closed. */
export const takeAnswerMs = 60_000;

/** A request's place among the large answers, from the moment its size is known until its answer was received. */
export class HeavyPlace {
  readonly #limiter: HeavyAnswerLimiter;
  readonly #key: string;
  readonly environment: Environment;
  #answer: HeavyAnswer | undefined;

  constructor(limiter: HeavyAnswerLimiter, key: string, environment: Environment) {
    this.#limiter = limiter;
    this.#key = key;
    this.environment = environment;
  }

  get isTaken(): boolean {
    return this.#answer !== undefined;
  }

  /** Waits for a place, unless the request already has one. @throws ProcedoError `rate_limited` */
  async take(): Promise<void> {
    this.#answer ??= await this.#limiter.take(this.#key, this.environment);
  }

  /** Adds `bytes` to the memory of the answer. @throws ProcedoError as `grow` of {@link HeavyAnswer} */
  grow(bytes: number): void {
    this.#answer?.grow(bytes);
  }

  leave(): void {
    this.#answer?.leave();
  }
}

/** A body that is produced while it is read. A reader that stops early must call `return`. */
export interface PiecewiseBody extends AsyncIterableIterator<string> {
  return(): Promise<IteratorResult<string>>;
}

/**
 * Encodes a large value as JSON, each piece in its own time slice once the previous one was read. The place is released
 * after the last piece, by `return`, or when the caller's time is over; a slower caller gets no more pieces.
 */
export function heavyBody(
  { clock, slices }: { readonly clock: Pick<Clock, "after">; readonly slices: Slices },
  value: unknown,
  place: Pick<HeavyPlace, "leave">,
): string | PiecewiseBody {
  const pieces = jsonPieces(value);
  const make = (): IteratorResult<string, void> => {
    try {
      return pieces.next();
    } catch (error) {
      place.leave();
      throw error;
    }
  };
  const first = make().value ?? "";
  let second = make();
  if (second.done === true) {
    place.leave();
    return first;
  }
  const end = (): IteratorResult<string> => {
    cancel();
    place.leave();
    return { done: true, value: undefined };
  };
  let isLate = false;
  const cancel = clock.after(takeAnswerMs, () => {
    isLate = true;
    place.leave();
  });
  const ready: IteratorResult<string>[] = [{ value: first }, second];
  const body: PiecewiseBody = {
    [Symbol.asyncIterator]: () => body,
    next: async () => {
      if (isLate) throw new Error(`The caller did not read the answer within ${takeAnswerMs} ms.`);
      const known = ready.shift();
      if (known !== undefined) return known;
      await slices.next();
      second = make();
      return second.done === true ? end() : second;
    },
    return: async () => end(),
  };
  return body;
}
