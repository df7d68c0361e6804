import { Session } from "node:inspector/promises";
import { sampleTime } from "../sample-time.ts";
import type { ProfileSummary } from "../sampled-profile.ts";

/** What a child answers when its parent wants to see where its time goes: `sample` begins, `sampled` ends. */
export function samplingAnswers() {
  let end: (() => Promise<ProfileSummary>) | undefined;
  return {
    sample: async (): Promise<null> => {
      const inspector = new Session();
      inspector.connect();
      end = await sampleTime(inspector);
      return null;
    },
    sampled: async (): Promise<ProfileSummary | undefined> => end?.(),
  };
}
