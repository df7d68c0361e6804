import { createHash } from "node:crypto";
import type { SeededRandom } from "@procedo-testing/faults";

/**
 * Simulated time. Everything that takes time is an event in one queue. All promises settle between two events, so the
 * seed determines the order of all events. Events of one instant come in random order.
 */
export interface World {
  /** Milliseconds since the simulation began: the true time of the simulated world, independent of its wall clocks. */
  nowMs(): number;
  /** Runs `event` after `delayMs`; the returned function cancels it. */
  after(delayMs: number, event: () => void): () => void;
  /** Adds a line to the trace. The same seed and code produce the same trace. */
  note(what: string): void;
  /** Runs events until `until` returns true, `endMs` is reached, or no event is left. */
  run(endMs: number, until: () => boolean): Promise<void>;
  /**
   * Counts a request that is answered at once; `false` if the current event has caused too many, so that it would never
   * end.
   */
  mayAsk(): boolean;
  /** Number of events so far. */
  readonly events: number;
  /** SHA-256 of the whole trace. */
  traceHash(): string;
  /** The last lines of the trace, for the report of a failure. */
  readonly lastNotes: readonly string[];
}

interface Event {
  readonly atMs: number;
  readonly order: number;
  readonly number: number;
  run: (() => void) | undefined;
}

const keptNotes = 400;
const mostAsked = 5_000;

export function createWorld(random: SeededRandom): World {
  const queue: Event[] = [];
  const notes: string[] = [];
  const trace = createHash("sha256");
  let nowMs = 0;
  let made = 0;
  let events = 0;
  let asked = 0;

  return {
    nowMs: () => nowMs,
    get events() {
      return events;
    },
    after: (delayMs, run) => {
      const event: Event = { atMs: nowMs + Math.max(0, delayMs), order: random.uniform(), number: made++, run };
      push(queue, event);
      return () => (event.run = undefined);
    },
    note: (what) => {
      const line = `${nowMs.toFixed(2)} ${what}`;
      trace.update(line);
      notes.push(line);
      if (notes.length > 2 * keptNotes) notes.splice(0, keptNotes);
    },
    run: async (endMs, until) => {
      await settle();
      while (!until()) {
        const event = queue[0];
        if (event === undefined || event.atMs > endMs) {
          nowMs = Math.max(nowMs, endMs);
          return;
        }
        pop(queue);
        if (event.run === undefined) continue;
        nowMs = event.atMs;
        events += 1;
        asked = 0;
        event.run();
        await settle();
      }
    },
    mayAsk: () => ++asked < mostAsked,
    traceHash: () => trace.copy().digest("hex"),
    get lastNotes() {
      return notes.slice(-keptNotes);
    },
  };
}

/** Settles all promises: simulated code waits only for promises and for the world. */
function settle(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

function before(a: Event, b: Event): boolean {
  if (a.atMs !== b.atMs) return a.atMs < b.atMs;
  return a.order !== b.order ? a.order < b.order : a.number < b.number;
}

/** A binary heap: the next event is the first item. */
function push(heap: Event[], event: Event): void {
  let at = heap.length;
  heap.push(event);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent] as Event;
    if (!before(event, above)) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = event;
}

function pop(heap: Event[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    const right = heap[child + 1];
    if (right !== undefined && before(right, heap[child] as Event)) child += 1;
    const below = heap[child];
    if (below === undefined || !before(below, last)) break;
    heap[at] = below;
    at = child;
  }
  heap[at] = last;
}
