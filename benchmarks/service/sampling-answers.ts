import { Session } from "node:inspector/promises";
import { sampleAllocations } from "../sample-allocations.ts";
import { sampleTime } from "../sample-time.ts";
import type { ProfileSummary } from "../sampled-profile.ts";

/** What is sampled of a process. */
export type Sampled = "time" | "allocations";

/** What a child answers when its parent wants to see where its time goes, or its memory: either question begins, `sampled` ends. */
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
