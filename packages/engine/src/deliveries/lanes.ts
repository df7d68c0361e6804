import type { ClaimedDelivery, WiderClaim } from "@procedo/storage";

/** A sender's deliveries by webhook: how many it has, how many of them go out at once, and how many more it may take. */
export interface Lanes {
  /** Of all webhooks, from `add` to `remove`. */
  readonly underWay: number;

  add(delivery: ClaimedDelivery): void;
  remove(delivery: ClaimedDelivery): void;

  /**
   * Sends one that was added, once fewer than {@link maxSending} of its webhook are being sent.
   *
   * @param send must not reject; answers whether the receiver accepted it, and quickly
   */
  send(delivery: ClaimedDelivery, send: () => Promise<boolean>): void;

  /** Whether more than half of what its webhook may have is under way. */
  isCrowded(delivery: ClaimedDelivery, perWebhook: number): boolean;

  /**
   * Webhooks that may have more than `perWebhook`: crowded ones whose receivers are quick.
   *
   * @param room for deliveries under way, of which those of other webhooks leave a wider one the half
   */
  wider(room: number, perWebhook: number): readonly WiderClaim[];
}

interface Lane {
  readonly environment: ClaimedDelivery["scope"]["environment"];
  underWay: number;
  sending: number;
  /** How many it may have while others leave the room. */
  window: number;
  readonly waiting: (() => Promise<boolean>)[];
}

/** Requests to one webhook at a time. */
export const maxSending = 64;

/** Enough that claiming and settling, which take milliseconds each, never leave a quick receiver without work. */
const maxWindow = 256;

export function createLanes(): Lanes {
  const lanes = new Map<string, Lane>();
  let underWay = 0;

  const mostOf = ({ window, underWay: own }: Lane, room: number, perWebhook: number): number =>
    Math.max(perWebhook, Math.min(window, Math.floor((room - (underWay - own)) / 2)));

  const isCrowded = (lane: Lane, perWebhook: number): boolean => lane.underWay > perWebhook / 2;

  const begin = (lane: Lane, send: () => Promise<boolean>): void => {
    lane.sending++;
    void send().then((isQuick) => {
      lane.sending--;
      // A receiver earns its room answer by answer, and loses all of it with the first that is not quick.
      lane.window = isQuick ? Math.min(maxWindow, lane.window + 1) : maxSending;
      const next = lane.waiting.shift();
      if (next !== undefined) begin(lane, next);
    });
  };

  return {
    get underWay() {
      return underWay;
    },

    add: ({ scope, webhookId }) => {
      const { environment } = scope;
      const lane = lanes.get(webhookId) ?? { environment, underWay: 0, sending: 0, window: maxSending, waiting: [] };
      lanes.set(webhookId, lane);
      lane.underWay++;
      underWay++;
    },

    remove: ({ webhookId }) => {
      const lane = lanes.get(webhookId);
      if (lane === undefined) return;
      underWay--;
      if (--lane.underWay === 0) lanes.delete(webhookId);
    },

    send: ({ webhookId }, send) => {
      const lane = lanes.get(webhookId);
      if (lane === undefined) return;
      if (lane.sending < maxSending) begin(lane, send);
      else lane.waiting.push(send);
    },

    isCrowded: ({ webhookId }, perWebhook) => {
      const lane = lanes.get(webhookId);
      return lane !== undefined && isCrowded(lane, perWebhook);
    },

    wider: (room, perWebhook) =>
      [...lanes].flatMap(([webhookId, lane]) => {
        const most = mostOf(lane, room, perWebhook);
        const mayHaveMore = isCrowded(lane, perWebhook) && most > perWebhook;
        return mayHaveMore ? [{ environment: lane.environment, webhookId, perWebhook: most }] : [];
      }),
  };
}
