/*
 * Live hints for pages: what to read again, never the state itself. A hint that is missed or repeated does no harm.
 *
 *   live-changes.ts   the hints of this process: a ring, from which a reader that was cut off goes on
 *   live-hint.ts      what a hint names
 *   collector.ts      collects hints for a moment, and joins those of one thing and those of too many things
 *   hints.ts          the hints of a journal row, a decision, a version, settled deliveries, and a change in storage
 */
import { environments, type Environment } from "@procedo/contract";
import type { Clock } from "../ports/clock.ts";
import { createCollector } from "./collector.ts";
import type { LiveHint } from "./live-hint.ts";

/** A hint at its place in the order of this process. */
export interface LiveEvent {
  /** Place of the event, from which `follow` goes on. */
  readonly eventId: string;
  /** `resync`: hints may have been missed, and everything that is shown is to be read again. */
  readonly hint: LiveHint | "resync";
}

/** A reader of events, from `follow` to `stop`. */
export interface LiveReader {
  /** The events since the place that was asked for. */
  readonly missed: readonly LiveEvent[];
  /** Place of the newest event, of either environment. */
  latest(): string;
  /** Ends the calls of the listener. Idempotent. */
  stop(): void;
}

/** The hints of one process: of what it wrote itself, and of changes that storage announced. */
export interface LiveChanges {
  /**
   * Calls the listener with each event that concerns the environment. Hints of one thing within a quarter of a second
   * are one event, and so are those of more than 50 things of one kind: the event then names the kind alone.
   *
   * A place that this process does not know, such as one of another process or one too long ago, gets a `resync` first.
   * So does a place after which more than 1,000 events concern the environment.
   *
   * @param request.after - the place after which to go on. @defaultValue the present
   */
  follow(
    request: { readonly environment: Environment; readonly after?: string },
    listener: (event: LiveEvent) => void,
  ): LiveReader;
}

/** The events that a reader may miss and still go on, of both environments together. */
export const keptEvents = 10_000;
/** The events that a reader gets one by one after a gap. One that missed more reads everything again. */
export const repeatedEvents = 1_000;
/** Time for which hints are collected, in milliseconds. */
export const collectMs = 250;
/** Least time between two `resync` of storage in one environment, in milliseconds. */
export const resyncMs = 2_000;
/** Time after the last reader for which events are still kept, in milliseconds. */
export const keptWithoutReadersMs = 60_000;

/** A hint, or `resync`, with the environment that it concerns. */
interface Kept {
  /** `undefined`: both environments. */
  readonly environment: Environment | undefined;
  readonly hint: LiveHint | "resync";
}

export interface LiveHub extends LiveChanges {
  /** Adds a hint; without an environment, of both. */
  hint(hint: LiveHint, environment: Environment | undefined): void;
  /** Changes may have been missed; without an environment, in both. */
  resync(environment: Environment | undefined): void;
}

/** @param epoch - differs between processes and contains no hyphen */
export function createLiveHub(clock: Pick<Clock, "after" | "monotonic">, epoch: string): LiveHub {
  const readers = new Set<{ readonly environment: Environment; readonly listener: (event: LiveEvent) => void }>();
  /** The newest events, oldest first from `start`; event number `counter` is the last one. */
  let ring: Kept[] = [];
  let start = 0;
  let counter = 0;
  const collector = createCollector();
  let isCollecting = false;
  const resyncs = {
    sandbox: { dueMs: -Infinity, isPlanned: false },
    live: { dueMs: -Infinity, isPlanned: false },
  } satisfies Record<Environment, unknown>;
  /** Until when events are kept without a reader. */
  let keptUntilMs = -Infinity;
  /** Whether hints were dropped since the last reader. */
  let isIncomplete = false;

  const place = (number: number): string => `${epoch}-${number}`;
  const kept = (): number => ring.length - start;

  const push = (entry: Kept): void => {
    counter += 1;
    ring.push(entry);
    if (kept() > keptEvents) start += 1;
    // Copies once per ring, rather than moving the ring for every event.
    if (start > keptEvents) {
      ring = ring.slice(start);
      start = 0;
    }
    const event = { eventId: place(counter), hint: entry.hint };
    for (const reader of [...readers]) if (concerns(entry, reader.environment)) reader.listener(event);
  };

  const isKeeping = (): boolean => readers.size > 0 || clock.monotonic() < keptUntilMs;
  const drop = (): void => {
    isIncomplete = true;
  };

  const flush = (): void => {
    isCollecting = false;
    for (const entry of collector.take()) push(entry);
  };

  const planResync = (environment: Environment): void => {
    const planned = resyncs[environment];
    if (planned.isPlanned) return;
    planned.isPlanned = true;
    clock.after(Math.max(0, planned.dueMs - clock.monotonic()), () => {
      planned.isPlanned = false;
      planned.dueMs = clock.monotonic() + resyncMs;
      push({ environment, hint: "resync" });
    });
  };

  /** The number of a place of this process; `undefined` for another place. */
  const numberOf = (eventId: string): number | undefined => {
    const [, of, digits = ""] = /^([^-]*)-(\d{1,15})$/.exec(eventId) ?? [];
    return of === epoch ? Number(digits) : undefined;
  };

  const missedSince = (after: string | undefined, environment: Environment): readonly LiveEvent[] => {
    if (after === undefined) return [];
    const number = numberOf(after);
    const oldest = counter - kept();
    const everything = { eventId: place(counter), hint: "resync" } as const;
    if (number === undefined || number < oldest || number > counter) return [everything];
    const missed: LiveEvent[] = [];
    for (let index = start + (number - oldest); index < ring.length; index++) {
      const entry = ring[index];
      if (entry === undefined || !concerns(entry, environment)) continue;
      if (missed.length === repeatedEvents) return [everything];
      missed.push({ eventId: place(oldest + (index - start) + 1), hint: entry.hint });
    }
    return missed;
  };

  return {
    hint: (hint, environment) => {
      if (!isKeeping()) return drop();
      collector.add(hint, environment);
      if (isCollecting) return;
      isCollecting = true;
      clock.after(collectMs, flush);
    },
    resync: (environment) => {
      if (!isKeeping()) return drop();
      for (const one of environments) if (environment === undefined || environment === one) planResync(one);
    },
    follow: ({ environment, after }, listener) => {
      if (isIncomplete) {
        isIncomplete = false;
        ring = [];
        start = 0;
        // Makes the places before the gap unknown.
        counter += 1;
      }
      const missed = missedSince(after, environment);
      const reader = { environment, listener };
      readers.add(reader);
      return {
        missed,
        latest: () => place(counter),
        stop: () => {
          if (readers.delete(reader) && readers.size === 0) keptUntilMs = clock.monotonic() + keptWithoutReadersMs;
        },
      };
    },
  };
}

function concerns(entry: Kept, environment: Environment): boolean {
  return entry.environment === undefined || entry.environment === environment;
}
