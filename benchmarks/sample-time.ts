import type { Session as Inspector } from "node:inspector/promises";
import { type ProfileSummary, summarizeTime } from "./sampled-profile.ts";

const TIME_BETWEEN_SAMPLES_US = 250;

/** Samples the processor time of this process, until the returned function is called. */
export async function sampleTime(inspector: Inspector): Promise<() => Promise<ProfileSummary>> {
  await inspector.post("Profiler.enable");
  await inspector.post("Profiler.setSamplingInterval", { interval: TIME_BETWEEN_SAMPLES_US });
  await inspector.post("Profiler.start");
  return async () => {
    const { profile } = await inspector.post("Profiler.stop");
    return summarizeTime({ ...profile, samples: profile.samples ?? [], timeDeltas: profile.timeDeltas ?? [] });
  };
}
