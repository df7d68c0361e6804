import type { Session as Inspector } from "node:inspector/promises";
import { type ProfileSummary, summarizeAllocations } from "./sampled-profile.ts";

const BYTES_BETWEEN_SAMPLES = 16_384;

/** Samples the allocations of this process, including garbage, until the returned function is called. */
export async function sampleAllocations(inspector: Inspector): Promise<() => Promise<ProfileSummary>> {
  await inspector.post("HeapProfiler.enable");
  await inspector.post("HeapProfiler.startSampling", {
    samplingInterval: BYTES_BETWEEN_SAMPLES,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  return async () => summarizeAllocations((await inspector.post("HeapProfiler.stopSampling")).profile.head);
}
