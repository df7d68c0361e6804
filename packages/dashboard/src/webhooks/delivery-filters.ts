/* The filters of a webhook's deliveries. They are a part of the page's address. */
import type { Delivery } from "../api/models.ts";
import { searchReader } from "../values/search-params.ts";
import { nextDay, readDay, startOfDay, type TimeZone } from "../values/time.ts";

export interface DeliveryFilters {
  readonly status?: Delivery["status"];
  readonly event?: string;
  /** Id of the run whose events are shown. */
  readonly run?: string;
  /** First and last day, as a date field writes them. */
  readonly from?: string;
  readonly to?: string;
}

export const deliveryStatuses = [
  "pending",
  "delivered",
  "failed",
  "skipped",
] as const satisfies readonly Delivery["status"][];

/** Reads the filters of an address. Values that are not valid are left out. */
export const readDeliveryFilters = searchReader<DeliveryFilters>(["status", "event", "run", "from", "to"], (search) => {
  const status = deliveryStatuses.find((one) => one === search["status"]);
  const texts = (["event", "run"] as const).flatMap((name): readonly [string, string][] => {
    const value = search[name];
    return typeof value === "string" && value.trim() !== "" ? [[name, value.trim()]] : [];
  });
  const days = (["from", "to"] as const).flatMap((name): readonly [string, string][] => {
    const day = readDay(search[name]);
    return day === undefined ? [] : [[name, day]];
  });
  return { ...(status !== undefined && { status }), ...Object.fromEntries<string>([...texts, ...days]) };
});

export function hasFilters(filters: DeliveryFilters): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}

/** The parameters of the request. Days begin and end in the reader's zone. */
export function deliveriesQuery({ status, event, run, from, to }: DeliveryFilters, timeZone: TimeZone) {
  return {
    ...(status !== undefined && { status }),
    ...(event !== undefined && { event }),
    ...(run !== undefined && { runId: run }),
    ...(from !== undefined && { from: startOfDay(from, timeZone) }),
    ...(to !== undefined && { to: startOfDay(nextDay(to), timeZone) }),
  };
}
