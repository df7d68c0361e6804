/**
 * Sends deliveries: claims those that are due, many at a time, and settles them together.
 *
 * - `lanes.ts` knows how many each webhook has, sends so many at once, and gives quick receivers more room
 * - `attempt.ts` sends one, signed in `envelope.ts`, to a webhook of `receivers.ts`
 * - `settlement.ts` decides what becomes of it, by `schedule.ts` (pure)
 * - `gather.ts` waits until there are many such decisions
 * - `settle-together.ts` has storage take them at once, and finds those that it does not take
 * - `deactivate.ts` switches a webhook off that is gone or has failed for days
 * - `delivery.ts` is what people see
 */
import { environments, ProcedoError, type Environment } from "@procedo/contract";
import type { ClaimedDelivery, DeliverySettlement, EnvironmentBound, Storage } from "@procedo/storage";
import { sleep, type Clock } from "../ports/clock.ts";
import { errorText } from "../ports/log.ts";
import type { Egress } from "../egress/egress.ts";
import type { Random } from "../ports/random.ts";
import { attemptDelivery, type AttemptEnd } from "./attempt.ts";
import { gather } from "./gather.ts";
import { createLanes, type EnvironmentBounds } from "./lanes.ts";
import { deactivate, type Deactivation, type DeactivationPorts } from "./deactivate.ts";
import type { Receivers } from "./receivers.ts";
import { settleTogether, type Done, type Settled } from "./settle-together.ts";
import {
  endWithoutAttempt,
  isGone,
  notSent,
  settlementOf,
  storableSettlement,
  webhookRemoved,
  type EndWithoutAttempt,
} from "./settlement.ts";

export interface SenderPorts extends DeactivationPorts {
  readonly storage: Pick<Storage, "deliveries" | "records">;
  readonly clock: Clock;
  readonly random: Random;
  readonly egress: Pick<Egress, "fetch">;
  readonly receivers: Receivers;
}

export interface Sender {
  start(): void;
  /** Deliveries may be due. */
  wake(): void;
  /**
   * Claims no more, gives back what has not begun, waits for what is under way and, after `drainMs`, ends it; others send
   * it again.
   */
  stop(drainMs: number): Promise<void>;
}

/** Deliveries that go out at once, of all webhooks; what waits in the lanes of quick receivers comes on top. */
const maxGoingOut = 512;

/** Of these, those of one environment at most: the rest is kept for the other one, however many webhooks the first one has. */
const maxOfEnvironment = (maxGoingOut * 3) / 4;

/** Of one webhook, over all processes, unless its receiver is quick. */
const maxPerWebhook = 64;

/**
 * What receivers that never answer can take from the others of their environment: a claim fills half of its room, and a
 * webhook may have this part of it. So the fuller it gets, the less one webhook may have, and there is room for the next.
 * What quick receivers may have more is bounded for all of them together.
 */
const shareOfRoom = 1 / 5;

/** An attempt takes 15 s at most and begins after {@link maxWaitMs} at most; the rest is for storage to be slow in. */
const leaseMs = 60_000;

/** One that has waited so long behind others of its webhook, or for storage, goes back. */
const maxWaitMs = 20_000;

/** Of an attempt that was accepted. All that may wait for a receiver as slow as that goes out within {@link maxWaitMs}. */
const quickMs = 300;

/** Beyond so many under way more of them end soon. */
const manyUnderWay = 8;

/** How often deliveries are looked for of which nothing told. */
const lookMs = 5_000;

/** Storage's clock may be behind this one: what it does not find due yet is not asked for in a busy loop. */
const minGapMs = 10;

/** After a failure of storage. */
const retryMs = 1_000;

/** A webhook whose secret does not open waits for an operator, and says so this often. */
const unreadableMs = 300_000;

/** Time for the ends of attempts that were cut off to become durable. */
const lastSettleMs = 2_000;

/** Why an attempt was cut off, as its record tells people. */
const shutDown = (): Error => new Error("the server was shut down before the receiver had answered.");

/** A webhook that has accepted nothing for so long is switched off. */
const deadAfterMs = 120 * 3_600_000;

export function createSender(ports: SenderPorts, senderId: string): Sender {
  const { storage, workspace, clock, random, log, receivers } = ports;
  // One for each attempt: a signal that hundreds listen to grows slow.
  const attempts = new Set<AbortController>();
  const deactivating = new Map<string, Promise<void>>();
  let state: "new" | "working" | "draining" | "stopped" = "new";
  let done: Done[] = [];
  let settling: readonly Done[] = [];
  /** What has failed and is tried again after a while, with what cancels that. */
  const pauses = new Map<"claim" | "settle", () => void>();
  /** What storage did not take, until it is tried again. */
  let resting: readonly Done[] = [];
  /** Storage took nothing of the last settlement. */
  let isFailing = false;
  let isClaiming = false;
  let wantsClaim = false;
  /** When unannounced deliveries may be due, by the monotonic clock: jumps of the wall clock do not move it. */
  let lookAtMs = -Infinity;
  const lanes = createLanes((callback) => clock.soon(callback));
  let isCut = false;
  let turning = false;
  let cancelTimer = (): void => {};
  let idle = (): void => {};

  const switchOff = (deactivation: Deactivation): void => {
    const { webhookId } = deactivation;
    if (deactivating.has(webhookId)) return;
    const work = deactivate(ports, senderId, deactivation)
      // The receiver gives the same reason again.
      .catch((error: unknown) =>
        log.warn("A webhook could not be deactivated.", { webhookId, error: errorText(error) }),
      )
      .finally(() => deactivating.delete(webhookId));
    deactivating.set(webhookId, work);
  };

  const send = async (delivery: ClaimedDelivery, claimedAtMs: number): Promise<DeliverySettlement> => {
    const { scope, deliveryId, webhookId, epoch } = delivery;
    const receiver = await receivers.get(scope.environment, webhookId);
    const endedBy = ({ status, error }: EndWithoutAttempt) => ({ scope, deliveryId, epoch, error, then: { status } });
    if (receiver === undefined) return endedBy(webhookRemoved);
    const withoutAttempt = endWithoutAttempt(delivery, receiver);
    if (withoutAttempt !== undefined) return endedBy(withoutAttempt);
    if (clock.monotonic() - claimedAtMs > maxWaitMs) return notSent(delivery);
    const cut = new AbortController();
    if (isCut) cut.abort(shutDown());
    attempts.add(cut);
    const sinceMs = clock.monotonic();
    let end: AttemptEnd;
    try {
      end = await attemptDelivery(ports, delivery, receiver, cut.signal);
    } finally {
      attempts.delete(cut);
    }
    const tookMs = Math.max(0, Math.round(clock.monotonic() - sinceMs));
    if (isGone(end) && receiver.isActive) {
      const reason = "The receiver answered 410: it wants no more deliveries.";
      switchOff({ environment: scope.environment, webhookId, seen: receiver, reason });
    }
    return settlementOf(delivery, end, { url: receiver.url, atMs: clock.now(), tookMs }, random.uniform());
  };

  const finish = (delivery: ClaimedDelivery, settlement: DeliverySettlement): void => {
    done.push({ delivery, settlement: storableSettlement(settlement) });
    turnSoon();
  };

  /** Answers whether it was accepted, and quickly. */
  const deliver = async (delivery: ClaimedDelivery, claimedAtMs: number): Promise<boolean> => {
    const { scope, deliveryId, webhookId, epoch } = delivery;
    let settlement: DeliverySettlement;
    try {
      settlement = await send(delivery, claimedAtMs);
    } catch (error) {
      const passes = ProcedoError.isError(error) && error.retryable;
      log[passes ? "warn" : "error"]("A webhook could not be read; its delivery waits.", {
        webhookId,
        error: errorText(error),
      });
      const dueAtMs = clock.now() + (passes ? retryMs : unreadableMs);
      settlement = { scope, deliveryId, epoch, error: errorText(error), then: { status: "pending", dueAtMs } };
    }
    finish(delivery, settlement);
    const { attempt, error } = settlement;
    return attempt !== undefined && error === undefined && attempt.tookMs <= quickMs;
  };

  /** A receiver that accepts now and then starts anew each time; one that is switched on again does, too. */
  const notice = async ({ delivery, settlement, result }: Settled): Promise<void> => {
    const { deliveryId, webhookId, scope } = delivery;
    if (settlement.then.status === "failed") {
      log.warn("A delivery has failed.", { deliveryId, webhookId, error: settlement.error });
    }
    const failingSinceMs = result?.status === "settled" ? result.failingSinceMs : undefined;
    if (failingSinceMs === undefined || clock.now() - failingSinceMs < deadAfterMs) return;
    const seen = await receivers.get(scope.environment, webhookId).catch(() => undefined);
    const sinceMs = Math.max(failingSinceMs, seen?.activeSinceMs ?? Infinity);
    if (seen?.isActive !== true || clock.now() - sinceMs < deadAfterMs) return;
    const reason = `Every attempt to deliver has failed since ${new Date(sinceMs).toISOString()}.`;
    switchOff({ environment: scope.environment, webhookId, seen, reason });
  };

  const settle = async (): Promise<void> => {
    settling = done;
    done = [];
    const { settled, left, error } = await settleTogether({ deliveries: storage.deliveries, log }, settling);
    const bounds = boundsNow();
    const isCrowded = settled.some(({ delivery }) => lanes.isCrowded(delivery, bounds) && !lanes.isSupplied(delivery));
    isFailing = settled.length === 0;
    settling = [];
    for (const one of settled) {
      lanes.remove(one.delivery);
      void notice(one);
    }
    // A claim that was made beside it may not have seen the room.
    if (isCrowded) wantsClaim = true;
    if (left.length === 0) return;
    resting = [...resting, ...left];
    log.warn("Deliveries could not be settled; trying again.", { senderId, error: errorText(error) });
    pause("settle");
  };

  /** By a timer of its own, which nothing else takes away and no jump of the clock moves. */
  const pause = (what: "claim" | "settle"): void => {
    if (state === "stopped" || pauses.has(what)) return;
    const resume = (): void => {
      pauses.delete(what);
      if (what === "settle") {
        done = [...resting, ...done];
        resting = [];
      }
      turnSoon();
    };
    pauses.set(what, clock.after(retryMs, resume));
  };

  const claim = async (): Promise<void> => {
    wantsClaim = false;
    isClaiming = true;
    lookAtMs = clock.monotonic() + lookMs;
    try {
      await claimUpTo(boundsNow());
    } catch (error) {
      log.warn("Deliveries could not be claimed; trying again.", { senderId, error: errorText(error) });
      wantsClaim = true;
      pause("claim");
    }
    // Not before: what is settled leaves while the next ones of its webhook are being claimed.
    lanes.forgetEmpty();
    isClaiming = false;
  };

  const claimUpTo = async (most: EnvironmentBounds): Promise<void> => {
    const limit = most.sandbox.limit + most.live.limit;
    if (limit === 0) return;
    const claimedAtMs = clock.monotonic();
    const bounds = { limit, perWebhook: maxPerWebhook, most, wider: lanes.wider(most) };
    const { deliveries, nextDueAtMs } = await storage.deliveries.claim({ workspace, senderId, ...bounds, leaseMs });
    for (const delivery of deliveries) {
      const giveBack = (): void => finish(delivery, notSent(delivery));
      lanes.add(delivery);
      if (state === "working") lanes.send(delivery, { send: () => deliver(delivery, claimedAtMs), giveBack });
      else giveBack();
    }
    const handedOver = (environment: Environment): number =>
      deliveries.filter(({ scope }) => scope.environment === environment).length;
    if (environments.some((one) => most[one].limit > 0 && handedOver(one) === most[one].limit)) wantsClaim = true;
    lookAtMs = clock.monotonic() + Math.min(lookMs, (nextDueAtMs ?? Infinity) - clock.now());
  };

  /** What is being settled goes out no more; it may stay, though, while settlements fail. */
  const boundsNow = (): EnvironmentBounds => {
    const leaving = isFailing ? [] : settling.map(({ delivery }) => delivery);
    const { sandbox, live } = lanes.goingOut(leaving);
    const boundOf = (goingOut: number): EnvironmentBound => {
      const room = Math.max(0, Math.min(maxOfEnvironment - goingOut, maxGoingOut - sandbox - live));
      const perWebhook = Math.min(maxPerWebhook, Math.max(1, Math.floor(room * shareOfRoom)));
      return { limit: Math.ceil(room / 2), perWebhook };
    };
    return { sandbox: boundOf(sandbox), live: boundOf(live) };
  };

  /** What has ended since waits with the rest only where storage took nothing at all. */
  const canSettle = (): boolean => settling.length === 0 && done.length > 0 && !(isFailing && pauses.has("settle"));

  const mayClaim = (): boolean => !isClaiming && !pauses.has("claim") && state === "working";

  const canClaim = (): boolean => wantsClaim && mayClaim();

  /**
   * Neither waits for the other, so that storage always has something to do; asked for in one turn, they may be one write,
   * in which what is settled makes room for what is claimed.
   */
  const turn = (): void => {
    turning = false;
    if (state === "stopped") return;
    // Beside a stream of answers there may be no moment in which the timer is set.
    if (clock.monotonic() >= lookAtMs) wantsClaim = true;
    if (canSettle()) {
      if (done.some(({ delivery }) => !lanes.isSupplied(delivery))) wantsClaim = true;
      void settle().then(goOn);
    }
    if (canClaim()) void claim().then(goOn);
  };

  const goOn = (): void => {
    if (lanes.underWay === 0 && !isClaiming) idle();
    if (canSettle() || canClaim()) return turnSoon();
    if (state !== "working" || isClaiming) return;
    cancelTimer();
    cancelTimer = clock.after(Math.max(minGapMs, lookAtMs - clock.monotonic()), wake);
  };

  const wake = (): void => {
    wantsClaim = true;
    turnSoon();
  };

  /** What cannot begin yet does when what is under way has ended. */
  const turnSoon = (): void => {
    if (state === "new" || state === "stopped" || turning || !(canSettle() || canClaim())) return;
    turning = true;
    cancelTimer();
    if (lanes.underWay - done.length > manyUnderWay) gather({ clock, count: () => done.length, isAwaited }, turn);
    else clock.soon(turn);
  };

  /** Whether the next turn would claim as well. What ended last stands for all: it is asked in each turn of the event loop. */
  const isAwaited = (): boolean => {
    const last = done.at(-1);
    const isWanted =
      wantsClaim || clock.monotonic() >= lookAtMs || (last !== undefined && !lanes.isSupplied(last.delivery));
    return isWanted && mayClaim();
  };

  const orAfter = async (event: Promise<void>, delayMs: number): Promise<void> => {
    const over = new AbortController();
    await Promise.race([event, sleep(clock, delayMs, over.signal)]);
    over.abort();
  };

  return {
    start: () => {
      if (state !== "new") return;
      state = "working";
      wake();
    },
    wake,
    stop: async (drainMs) => {
      if (state === "stopped") return;
      const drained = new Promise<void>((resolve) => {
        idle = resolve;
        if (lanes.underWay === 0 && !isClaiming) resolve();
      });
      state = "draining";
      lanes.giveBackWaiting();
      await orAfter(drained, drainMs);
      isCut = true;
      lanes.giveBackWaiting();
      for (const attempt of attempts) attempt.abort(shutDown());
      await orAfter(drained, lastSettleMs);
      state = "stopped";
      cancelTimer();
      for (const cancel of pauses.values()) cancel();
      await Promise.all(deactivating.values());
    },
  };
}
