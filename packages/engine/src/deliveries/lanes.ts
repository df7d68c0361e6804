import type { Environment } from "@procedo/contract";
import type { ClaimedDelivery, EnvironmentBound, WebhookBound } from "@procedo/storage";

/**
 * A sender's deliveries by webhook: how many it has, how many of them go out at once, and how many more it may take.
 *
 * What waits here is there for quick receivers only: it keeps them busy while storage settles and claims.
 */
export interface Lanes {
  /** Of all webhooks, from `add` to `remove`. */
  readonly underWay: number;

  add(delivery: ClaimedDelivery): void;
  remove(delivery: ClaimedDelivery): void;
  /** Webhooks of which nothing is under way; until then what they have earned is remembered. */
  forgetEmpty(): void;

  /**
   * Sends one that was added, at once or after others of its webhook; or gives it back, as soon as one of these was not
   * accepted quickly. Neither may reject.
   */
  send(delivery: ClaimedDelivery, work: LaneWork): void;

  /** Of all webhooks: nothing waits any more. */
  giveBackWaiting(): void;

  /** How many of each environment go out or could at once, when these have left: what waits behind them is not counted. */
  goingOut(without: readonly ClaimedDelivery[]): Readonly<Record<Environment, number>>;

  /** Whether its webhook has more than half of its `perWebhook` under way. */
  isCrowded(delivery: ClaimedDelivery, bounds: EnvironmentBounds): boolean;

  /**
   * Whether of what quick receivers may have waiting half does for its webhook, or half of its part where several webhooks
   * have something waiting. Until it does not, a claim for it is not worth what passing over all that waits costs.
   */
  isSupplied(delivery: ClaimedDelivery): boolean;

  /**
   * The bounds of crowded webhooks that may have more than `perWebhook`, because their receivers are quick; of none while
   * these have large events under way.
   */
  wider(bounds: EnvironmentBounds): readonly WebhookBound[];
}

export type EnvironmentBounds = Readonly<Record<Environment, EnvironmentBound>>;

export interface LaneWork {
  /** Answers whether the receiver accepted it, and quickly. */
  send(): Promise<boolean>;
  giveBack(): void;
}

interface Lane {
  readonly environment: Environment;
  underWay: number;
  /** Of the events under way. */
  heldChars: number;
  sending: number;
  /** How many quick answers there were since the last one that was not. */
  earned: number;
  readonly waiting: LaneWork[];
}

/** Requests of this process to one webhook at a time. */
const maxSending = 64;

/**
 * Deliveries that may wait, of all webhooks: at 20,000 a second enough for the time from a claim's beginning to the end of
 * the settlement, which storage makes for a thousand at once. At the slowest pace that is quick, the last one begins after
 * 19 s of the 20 s that it may wait.
 */
const maxWaiting = 4_032;

/**
 * Characters of their events that quick receivers may have under way, if what is claimed is as large as what they have. One
 * claim may pass it; beyond, none is given more.
 */
const maxHeldChars = 16 * 1024 * 1024;

/** @param soon calls back when the answers of this turn have come */
export function createLanes(soon: (callback: () => void) => void): Lanes {
  const lanes = new Map<string, Lane>();
  /** Those that something waits in and that have room since this turn. */
  const unfilled = new Set<Lane>();
  let underWay = 0;

  const isCrowded = (lane: Lane, bounds: EnvironmentBounds): boolean =>
    lane.underWay > bounds[lane.environment].perWebhook / 2;

  const giveBack = (lane: Lane): void => {
    for (const work of lane.waiting.splice(0)) work.giveBack();
  };

  const begin = (lane: Lane, work: LaneWork): void => {
    lane.sending++;
    void work.send().then((isQuick) => {
      lane.sending--;
      lane.earned = isQuick ? lane.earned + 1 : 0;
      if (!isQuick) giveBack(lane);
      if (lane.waiting.length > 0) fillSoon(lane);
    });
  };

  const fill = (lane: Lane): void => {
    while (lane.sending < maxSending) {
      const next = lane.waiting.shift();
      if (next === undefined) return;
      begin(lane, next);
    }
  };

  /** What leaves together arrives together: the receiver need not be woken for each. */
  const fillSoon = (lane: Lane): void => {
    const isFirst = unfilled.size === 0;
    unfilled.add(lane);
    if (isFirst) soon(fillAll);
  };

  const fillAll = (): void => {
    const all = [...unfilled];
    unfilled.clear();
    for (const lane of all) fill(lane);
  };

  return {
    get underWay() {
      return underWay;
    },

    add: ({ scope, webhookId, data }) => {
      const { environment } = scope;
      const lane = lanes.get(webhookId) ?? {
        environment,
        underWay: 0,
        heldChars: 0,
        sending: 0,
        earned: 0,
        waiting: [],
      };
      lanes.set(webhookId, lane);
      lane.underWay++;
      underWay++;
      lane.heldChars += data.length;
    },

    remove: ({ webhookId, data }) => {
      const lane = lanes.get(webhookId);
      if (lane === undefined) return;
      underWay--;
      lane.underWay--;
      lane.heldChars -= data.length;
    },

    forgetEmpty: () => {
      for (const [webhookId, lane] of lanes) if (lane.underWay === 0) lanes.delete(webhookId);
    },

    send: ({ webhookId }, work) => {
      const lane = lanes.get(webhookId);
      if (lane === undefined) return;
      if (lane.sending < maxSending && lane.waiting.length === 0) begin(lane, work);
      else lane.waiting.push(work);
    },

    giveBackWaiting: () => {
      for (const lane of lanes.values()) giveBack(lane);
    },

    goingOut: (without) => {
      const leaving = new Map<string, number>();
      for (const { webhookId } of without) leaving.set(webhookId, (leaving.get(webhookId) ?? 0) + 1);
      const counts = { sandbox: 0, live: 0 };
      for (const [webhookId, lane] of lanes) {
        counts[lane.environment] += Math.min(maxSending, lane.underWay - (leaving.get(webhookId) ?? 0));
      }
      return counts;
    },

    isCrowded: ({ webhookId }, bounds) => {
      const lane = lanes.get(webhookId);
      return lane !== undefined && isCrowded(lane, bounds);
    },

    isSupplied: ({ webhookId }) => {
      const waiting = lanes.get(webhookId)?.waiting.length ?? 0;
      if (waiting === 0) return false;
      let sharing = 0;
      for (const lane of lanes.values()) if (lane.waiting.length > 0) sharing++;
      return waiting >= maxWaiting / sharing / 2;
    },

    wider: (bounds) => {
      let left = maxWaiting;
      for (const lane of lanes.values()) left -= Math.max(0, lane.underWay - maxSending);
      const quick = [...lanes].filter(([, lane]) => lane.earned > 0 && isCrowded(lane, bounds));
      const heldChars = quick.reduce((sum, [, lane]) => sum + lane.heldChars, 0);
      if (heldChars > maxHeldChars) return [];
      const free = maxHeldChars - heldChars;
      return quick.flatMap(([webhookId, { environment, earned, underWay: own, heldChars: ownChars }]) => {
        const share = Math.floor(Math.min(left, free / (ownChars / own)) / quick.length);
        const more = Math.min(earned, maxWaiting, Math.max(0, own - maxSending) + Math.max(0, share));
        return more > 0 ? [{ environment, webhookId, perWebhook: bounds[environment].perWebhook + more }] : [];
      });
    },
  };
}
