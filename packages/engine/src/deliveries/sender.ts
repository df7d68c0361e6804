/*
 * Sends webhook deliveries: claims those that are due, sends each at once, and settles the results in batches.
 *
 *   sender.ts           the loop: claims, sends, settles
 *   claim-limits.ts     bounds how many deliveries a process holds (pure)
 *   receivers.ts        the webhooks, as the sender needs them
 *   attempt.ts          one attempt; envelope.ts: its signed bytes
 *   settlement.ts       turns the end of an attempt into a settlement, by schedule.ts (pure)
 *   settle-batching.ts  collects settlements; settle-batch.ts stores a batch of them
 *   deactivate.ts       deactivates a webhook that is gone or has failed for days
 */
import { environments, ProcedoError } from "@procedo/contract";
import type { ClaimedDelivery, DeliverySettlement, Storage } from "@procedo/storage";
import { sleep, type Clock } from "../ports/clock.ts";
import { errorText } from "../ports/log.ts";
import type { Egress } from "../egress/egress.ts";
import type { Random } from "../ports/random.ts";
import { attemptDelivery, type AttemptEnd } from "./attempt.ts";
import { claimLimits } from "./claim-limits.ts";
import { deactivate, type Deactivation, type DeactivationPorts } from "./deactivate.ts";
import type { Receivers } from "./receivers.ts";
import type { Settled } from "./settle-batch.ts";
import { createSettleBatching } from "./settle-batching.ts";
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
  /** Called with deliveries whose results are durable. */
  readonly onSettled: (settled: readonly Settled[]) => void;
}

export interface Sender {
  start(): void;
  /** Makes the sender claim: deliveries may be due. */
  wake(): void;
  /**
   * Stops claiming, waits for attempts that are under way, and aborts them after `drainMs`. Another process sends those
   * again.
   */
  stop(drainMs: number): Promise<void>;
}

/** An attempt takes up to 15 s; the rest allows for slow storage. */
const leaseMs = 60_000;

/** The longest time between two claims: a change feed may miss a delivery. */
const pollMs = 5_000;

/**
 * The delay of the claim after one that reached a limit, and the shortest delay of any planned claim: storage's clock may
 * be behind this one, and would be polled in a busy loop. docs/performance/deliveries.md#constants
 */
const minPollMs = 10;

/** Delay after a failure of storage. */
const retryMs = 1_000;

/** How long a delivery waits whose webhook's secret cannot be decrypted: an operator has to act. */
const unreadableMs = 300_000;

/** Time to store the results of attempts that were aborted. */
const lastSettleMs = 2_000;

/** A webhook that has accepted nothing for this long is deactivated. */
const deadAfterMs = 120 * 3_600_000;

/** The error of an aborted attempt, as its record shows it. */
const shutDown = (): Error => new Error("the server was shut down before the receiver had answered.");

export function createSender(ports: SenderPorts, senderId: string): Sender {
  const { storage, workspace, clock, random, log, receivers } = ports;
  let state: "new" | "working" | "draining" | "stopped" = "new";
  /** Numbers of deliveries that are claimed and not settled. */
  const held = { sandbox: 0, live: 0 };
  /** One controller per attempt: a single signal with hundreds of listeners would be slow. */
  const attempts = new Set<AbortController>();
  const deactivating = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  let isClaiming = false;
  let claimAgain = false;
  let cancelTimer = (): void => {};
  let isCut = false;
  let whenIdle = (): void => {};

  const settlements = createSettleBatching({
    deliveries: storage.deliveries,
    clock,
    log,
    held: () => held.sandbox + held.live,
    onSettled: (batch) => {
      ports.onSettled(batch);
      for (const one of batch) {
        held[one.delivery.scope.environment]--;
        void judge(one);
      }
      claimSoon();
      checkIdle();
    },
  });

  const checkIdle = (): void => {
    if (held.sandbox + held.live === 0 && !isClaiming) whenIdle();
  };

  /** Claims once for all events of one turn of the event loop. */
  const claimSoon = (): void => {
    if (state !== "working") return;
    claimAgain = true;
    if (isClaiming) return;
    isClaiming = true;
    clock.soon(() => void claimAll());
  };

  const claimAll = async (): Promise<void> => {
    cancelTimer();
    let nextMs = 0;
    while (state === "working" && (claimAgain || nextMs === 0)) {
      claimAgain = false;
      nextMs = await claim();
    }
    isClaiming = false;
    if (state === "working") cancelTimer = clock.after(nextMs, claimSoon);
    checkIdle();
  };

  /** @returns milliseconds until the next claim, unless an event or a settlement comes first; 0 to claim at once */
  const claim = async (): Promise<number> => {
    const limits = claimLimits(held);
    // A settlement frees places, and a claim follows it.
    if (environments.every((environment) => limits[environment].total === 0)) return pollMs;
    try {
      const { deliveries, nextDueAtMs } = await storage.deliveries.claim({ workspace, limits, leaseMs });
      for (const delivery of deliveries) take(delivery);
      const isReached = environments.some((environment) => {
        const count = deliveries.filter(({ scope }) => scope.environment === environment).length;
        return count > 0 && count === limits[environment].total;
      });
      if (isReached) return minPollMs;
      return Math.max(minPollMs, Math.min(pollMs, (nextDueAtMs ?? Infinity) - clock.now()));
    } catch (error) {
      log.warn("Deliveries could not be claimed; trying again.", { senderId, error: errorText(error) });
      await sleep(clock, retryMs, stopping.signal);
      return 0;
    }
  };

  const take = (delivery: ClaimedDelivery): void => {
    held[delivery.scope.environment]++;
    const complete = (settlement: DeliverySettlement): void =>
      settlements.add({ delivery, settlement: storableSettlement(settlement) });
    if (state === "working") void send(delivery).then(complete);
    else complete(notSent(delivery));
  };

  /** Never rejects. */
  const send = async (delivery: ClaimedDelivery): Promise<DeliverySettlement> => {
    try {
      return await attempt(delivery);
    } catch (error) {
      const { scope, deliveryId, webhookId, epoch } = delivery;
      const passes = ProcedoError.isError(error) && error.retryable;
      const text = errorText(error);
      if (passes) log.warn("A webhook could not be read from storage; its delivery waits.", { webhookId, error: text });
      else
        log.error("The secrets of a webhook could not be decrypted; its delivery waits.", { webhookId, error: text });
      const dueAtMs = clock.now() + (passes ? retryMs : unreadableMs);
      return { scope, deliveryId, epoch, error: text, next: { status: "pending", dueAtMs } };
    }
  };

  const attempt = async (delivery: ClaimedDelivery): Promise<DeliverySettlement> => {
    const { scope, deliveryId, webhookId, epoch } = delivery;
    const receiver = await receivers.get(scope.environment, webhookId);
    const endedBy = ({ status, error }: EndWithoutAttempt) => ({ scope, deliveryId, epoch, error, next: { status } });
    if (receiver === undefined) return endedBy(webhookRemoved);
    const withoutAttempt = endWithoutAttempt(delivery, receiver);
    if (withoutAttempt !== undefined) return endedBy(withoutAttempt);
    const controller = new AbortController();
    if (isCut) controller.abort(shutDown());
    attempts.add(controller);
    const sinceMs = clock.monotonic();
    let end: AttemptEnd;
    try {
      end = await attemptDelivery(ports, delivery, receiver, controller.signal);
    } finally {
      attempts.delete(controller);
    }
    const tookMs = Math.max(0, Math.round(clock.monotonic() - sinceMs));
    if (isGone(end) && receiver.isActive) {
      const reason = "The receiver answered 410: it wants no more deliveries.";
      deactivateWebhook({ environment: scope.environment, webhookId, seen: receiver, reason });
    }
    return settlementOf(delivery, end, { url: receiver.url, atMs: clock.now(), tookMs }, random.uniform());
  };

  /** Deactivates a webhook that has failed for too long since it last accepted a delivery or was activated. */
  const judge = async ({ delivery, settlement, result }: Settled): Promise<void> => {
    const { deliveryId, webhookId, scope } = delivery;
    if (settlement.next.status === "failed") {
      log.warn("A delivery has failed.", { deliveryId, webhookId, error: settlement.error });
    }
    const failingSinceMs = result?.status === "settled" ? result.failingSinceMs : undefined;
    if (failingSinceMs === undefined || clock.now() - failingSinceMs < deadAfterMs) return;
    const seen = await receivers.get(scope.environment, webhookId).catch(() => undefined);
    const sinceMs = Math.max(failingSinceMs, seen?.activeSinceMs ?? Infinity);
    if (seen?.isActive !== true || clock.now() - sinceMs < deadAfterMs) return;
    const reason = `Every attempt to deliver has failed since ${new Date(sinceMs).toISOString()}.`;
    deactivateWebhook({ environment: scope.environment, webhookId, seen, reason });
  };

  const deactivateWebhook = (deactivation: Deactivation): void => {
    const { webhookId } = deactivation;
    if (deactivating.has(webhookId)) return;
    const work = deactivate(ports, senderId, deactivation)
      // The receiver's next answer will trigger another try.
      .catch((error: unknown) =>
        log.warn("A webhook could not be deactivated.", { webhookId, error: errorText(error) }),
      )
      .finally(() => deactivating.delete(webhookId));
    deactivating.set(webhookId, work);
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
      claimSoon();
    },
    wake: claimSoon,
    stop: async (drainMs) => {
      if (state === "stopped") return;
      state = "draining";
      cancelTimer();
      stopping.abort();
      const drained = new Promise<void>((resolve) => (whenIdle = resolve));
      checkIdle();
      await orAfter(drained, drainMs);
      isCut = true;
      for (const controller of attempts) controller.abort(shutDown());
      await orAfter(drained, lastSettleMs);
      state = "stopped";
      settlements.stop();
      await Promise.all(deactivating.values());
    },
  };
}
