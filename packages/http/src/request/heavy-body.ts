import type { Clock, Slices } from "@procedo/engine";
import type { HeavyAnswer, HeavyAnswers } from "../access/heavy-answers.ts";
import type { Environment } from "@procedo/contract";
import { jsonPieces } from "./json-pieces.ts";

/** Time for a caller to take an answer that does not fit into the socket's buffers; then the socket is closed. */
export const takeAnswerMs = 60_000;

/** A request's place among the large answers: from when it is known to be one until its answer was taken. */
export class HeavyPlace {
  readonly #answers: HeavyAnswers;
  readonly #key: string;
  readonly environment: Environment;
  #answer: HeavyAnswer | undefined;

  constructor(answers: HeavyAnswers, key: string, environment: Environment) {
    this.#answers = answers;
    this.#key = key;
    this.environment = environment;
  }

  get isTaken(): boolean {
    return this.#answer !== undefined;
  }

  /** Waits for a place, unless the request has one. @throws ProcedoError `rate_limited` */
  async take(): Promise<void> {
    this.#answer ??= await this.#answers.take(this.#key, this.environment);
  }

  /** Counts so much more memory for the answer. @throws ProcedoError as `grow` of {@link HeavyAnswer} */
  grow(bytes: number): void {
    this.#answer?.grow(bytes);
  }

  leave(): void {
    this.#answer?.leave();
  }
}

/** A body that is made while it is taken. Who does not take it to its end calls `return`. */
export interface PiecewiseBody extends AsyncIterableIterator<string> {
  return(): Promise<IteratorResult<string>>;
}

/**
 * A large value as JSON: each piece in a slice of its own, when the one before was taken. The place is left with the last
 * piece, with `return`, or when the caller's time is over; a caller that is later gets no more.
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
      if (isLate) throw new Error(`The answer was not taken within ${takeAnswerMs} ms.`);
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
