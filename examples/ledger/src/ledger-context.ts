import type { Behaviours } from "./behaviours.ts";
import type { Clock } from "./clock.ts";
import type { Journal } from "./journal.ts";
import type { KeyQueue } from "./key-queue.ts";
import type { Route } from "./routes.ts";

/** What the requests of one ledger share. */
export interface LedgerContext {
  readonly journal: Journal;
  readonly behaviours: Behaviours;
  readonly keys: KeyQueue;
  readonly routes: readonly Route[];
  readonly clock: Clock;
  readonly token: string | undefined;
  /** Ends this process at once, if it may. */
  readonly die: (() => void) | undefined;
  /** Aborts when the requests of now are cut off: by a reset, which sets a new one, or by the end. */
  cutOff: AbortController;
}
