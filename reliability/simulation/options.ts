/** The decisions of a seed before a simulation begins. Rates are probabilities; times are milliseconds. */
export interface SimulationOptions {
  readonly seed: number;
  /** The length of the period with faults. */
  readonly faultsForMs: number;
  readonly machines: number;
  readonly starts: number;
  readonly documents: number;
  /** Maximum number of nodes of a random document. */
  readonly nodes: number;
  readonly worker: {
    readonly leaseMs: number;
    readonly pollMs: number;
    readonly sendWindowMs: number;
    readonly capacity: number;
  };
  readonly limits: { readonly nodeVisits: number; readonly toolCalls: number };
  readonly storage: StorageFaults;
  readonly ledger: LedgerFaults;
  readonly chaos: ChaosRates;
  readonly people: PeopleRates;
  /** @defaultValue no triggers */
  readonly triggers?: TriggerLoad;
}

/** Triggers, and the events that are sent to them. */
export interface TriggerLoad {
  readonly events: number;
  /** The share of events that arrive several times at once, and again later. */
  readonly copies: number;
  readonly schedules: number;
}

export interface StorageFaults {
  /** Maximum latency of a request and of its answer, drawn per call. */
  readonly latencyMs: number;
  /** Answers that take longer than a lease. */
  readonly slowAnswer: number;
  /** Refused without effect. */
  readonly errorBefore: number;
  /** Done, but answered with an error. */
  readonly errorAfter: number;
  /** Answered with an error, and done up to several seconds later. */
  readonly doneLate: number;
  /** Some items of a batch done, and the batch answered with an error. */
  readonly partialBatch: number;
  /** Notices of changes that never arrive. */
  readonly lostNews: number;
}

export interface LedgerFaults {
  /** Maximum latency of a request and of its answer. */
  readonly latencyMs: number;
  readonly refused: number;
  readonly busy: number;
  readonly notSent: number;
  /** Fails without information about the effect, with or without having done the work. */
  readonly doubtful: number;
  /** Answers after the deadline. */
  readonly slow: number;
  /** Never answers, with or without having done the work. */
  readonly silent: number;
  /** Answers with a value that JSON cannot represent. */
  readonly garbage: number;
  /** Repeats the connection's secret in the answer. */
  readonly indiscreet: number;
  /** Stops when the engine's signal aborts, instead of continuing. */
  readonly obedient: number;
}

/** Mean time between two faults of a kind; 0 for none. */
export interface ChaosRates {
  readonly crashEveryMs: number;
  readonly pauseEveryMs: number;
  readonly stopEveryMs: number;
  readonly wallJumpEveryMs: number;
  /** The distances by which wall clocks jump. @defaultValue from an hour back to a day and a half ahead */
  readonly wallJumpsMs?: readonly number[];
  /**
   * The time after which a backward jump is corrected. @defaultValue no correction; the simulation runs longer by the
   * jump
   */
  readonly correctedWithinMs?: number;
  /** The jump of the wall clocks at the end of the faults. @defaultValue no jump */
  readonly lastJumpMs?: number;
  readonly managedEveryMs: number;
  /** Maximum length of a pause. */
  readonly pauseMs: number;
  readonly restartMs: number;
  /** Maximum difference between a machine's wall clock and storage's. */
  readonly skewMs: number;
  /** The rate of runs whose journal is damaged on its way to a worker. */
  readonly damage: number;
}

export interface PeopleRates {
  readonly actEveryMs: number;
  readonly rejects: number;
  /** Decisions that are late, repeated, concurrent, by the wrong person or on the wrong digest. */
  readonly careless: number;
  readonly cancels: number;
  /** Starts that are repeated with the same idempotency key. */
  readonly repeats: number;
}

/** Storage and ledger without faults. */
export const calmStorage: StorageFaults = {
  latencyMs: 1,
  slowAnswer: 0,
  errorBefore: 0,
  errorAfter: 0,
  doneLate: 0,
  partialBatch: 0,
  lostNews: 0,
};
export const calmLedger: LedgerFaults = {
  latencyMs: 5,
  refused: 0,
  busy: 0,
  notSent: 0,
  doubtful: 0,
  slow: 0,
  silent: 0,
  garbage: 0,
  indiscreet: 0,
  obedient: 1,
};

/**
 * Expands a seed. Each kind of fault is left out of some simulations, so that it cannot hide the findings of the
 * others.
 */
export function optionsOf(seed: number): SimulationOptions {
  const random = seededRandom(seed, "options");
  const calm = random.chance(0.04);
  const rate = (present: number, most: number): number => {
    const drawn = random.chance(present) ? random.uniform() * most : 0;
    return calm ? 0 : drawn;
  };
  const every = (present: number, least: number, most: number): number => {
    const drawn = random.chance(present) ? random.between(least, most) : 0;
    return calm ? 0 : drawn;
  };
  return {
    seed,
    faultsForMs: random.pick([5_000, 15_000, 30_000]),
    machines: random.between(1, random.pick([1, 3, 5])),
    starts: random.between(1, 8),
    documents: random.between(1, 2),
    nodes: random.pick([4, 8, 8, 15, 40]),
    worker: {
      leaseMs: random.pick([600, 1_500, 3_000, 6_000]),
      pollMs: random.pick([200, 500, 1_000]),
      sendWindowMs: random.pick([200, 1_000, 5_000]),
      capacity: random.pick([1, 2, 1_000, 1_000]),
    },
    limits: { nodeVisits: random.pick([12, 30, 60]), toolCalls: random.pick([6, 20, 40]) },
    storage: {
      latencyMs: random.pick([0, 3, 20, 200]),
      slowAnswer: rate(0.4, 0.12),
      errorBefore: rate(0.4, 0.15),
      errorAfter: rate(0.4, 0.15),
      doneLate: rate(0.3, 0.08),
      partialBatch: rate(0.3, 0.15),
      lostNews: rate(0.3, 1),
    },
    ledger: ledgerFaults(random, rate),
    chaos: {
      crashEveryMs: every(0.5, 1_000, 15_000),
      pauseEveryMs: every(0.4, 1_000, 15_000),
      stopEveryMs: every(0.35, 2_000, 15_000),
      wallJumpEveryMs: every(0.15, 2_000, 15_000),
      managedEveryMs: every(0.3, 500, 4_000),
      pauseMs: random.pick([500, 4_000, 15_000]),
      restartMs: random.pick([10, 1_000, 8_000]),
      skewMs: random.chance(0.15) && !calm ? random.pick([20, 500, 5_000]) : 0,
      damage: rate(0.05, 0.3),
    },
    people: {
      actEveryMs: random.pick([100, 600, 2_500]),
      rejects: random.pick([0, 0.1, 0.4]),
      careless: rate(0.6, 0.6),
      cancels: rate(0.5, 0.6),
      repeats: rate(0.5, 0.6),
    },
  };
}

function ledgerFaults(random: SeededRandom, rate: (present: number, most: number) => number): LedgerFaults {
  return {
    latencyMs: random.pick([0, 20, 150]),
    refused: rate(0.4, 0.15),
    busy: rate(0.4, 0.2),
    notSent: rate(0.4, 0.2),
    doubtful: rate(0.5, 0.25),
    slow: rate(0.4, 0.25),
    silent: rate(0.3, 0.15),
    garbage: rate(0.2, 0.08),
    indiscreet: rate(0.2, 0.5),
    obedient: random.pick([0, 0.5, 1]),
  };
}
import { seededRandom, type SeededRandom } from "@procedo-testing/faults";
