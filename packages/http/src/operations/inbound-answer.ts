import type { Trigger } from "@procedo/contract";
import type { TriggerView } from "@procedo/engine";
import type { Call } from "../operation-calls.ts";
import { timestamp } from "./timestamp.ts";

/** Converts the inbound address of a trigger or a connection to its form in answers. */
export function inboundAnswer(
  { address, lastReceivedAtMs, refusedLast24h }: NonNullable<TriggerView["inbound"]>,
  inboundUrl: Call["inboundUrl"],
): NonNullable<Trigger["inbound"]> {
  return {
    url: inboundUrl(address),
    ...(lastReceivedAtMs !== undefined && { lastReceivedAt: timestamp(lastReceivedAtMs) }),
    refusedLast24h,
  };
}
