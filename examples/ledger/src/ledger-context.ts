import type { Behaviours } from "./behaviours.ts";
import type { Clock } from "./clock.ts";
import type { EventSender } from "./event-sender.ts";
import type { Journal } from "./journal.ts";
import type { KeyQueue } from "./key-queue.ts";
import type { Route } from "./routes.ts";

/** State shared by the requests of one ledger. */
export interface LedgerContext {
  readonly journal: Journal;
  readonly sender: EventSender;
  readonly behaviours: Behaviours;
  readonly keys: KeyQueue;
  readonly routes: readonly Route[];
  readonly clock: Clock;
  readonly token: string | undefined;
  /** Ends this process at once; undefined when that is not allowed. */
  readonly die: (() => void) | undefined;
  /** Aborts the current requests, on a reset (which sets a new controller) or on close. */
  cutOff: AbortController;
}
