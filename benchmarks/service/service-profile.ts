import type { ProfileSummary } from "../sampled-profile.ts";

/** Where the time of a service went, over so many requests or deliveries. */
export interface ServiceProfile {
  readonly count: number;
  readonly perSecond: number;
  readonly summary: ProfileSummary;
}
