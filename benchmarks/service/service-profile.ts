import type { ProfileSummary } from "../sampled-profile.ts";

/** The profile of a service's time, over this many requests or deliveries. */
export interface ServiceProfile {
  readonly count: number;
  readonly perSecond: number;
  readonly summary: ProfileSummary;
}
