import { Session } from "node:inspector/promises";
import { sampleAllocations } from "../sample-allocations.ts";
import { sampleTime } from "../sample-time.ts";
import type { ProfileSummary } from "../sampled-profile.ts";

/** The kinds of profiles. */
export type Sampled = "time" | "allocations";

/** A child's answers for a profile of its time or memory: either question starts it, `sampled` ends it. */
export function samplingAnswers() {
  let end: (() => Promise<ProfileSummary>) | undefined;
  const begin = async (sample: typeof sampleTime): Promise<null> => {
    const inspector = new Session();
    inspector.connect();
    end = await sample(inspector);
    return null;
  };
  return {
    time: (): Promise<null> => begin(sampleTime),
    allocations: (): Promise<null> => begin(sampleAllocations),
    sampled: async (): Promise<ProfileSummary | undefined> => end?.(),
  };
}
