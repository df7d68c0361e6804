/** One measurement of W4: the subject and the load in a fresh process each, with a fresh database. */
import { performance } from "node:perf_hooks";
import type { Figures } from "../figures.ts";
import { withFreshFolder } from "../fresh-process.ts";
import type { ProfileSummary } from "../sampled-profile.ts";
import { type MeasuredProcess, startChild } from "./child-process.ts";
import type { LoadOrder, LoadSeen, RequestLoad } from "./load-child.ts";
import type { BodyKind } from "./requests.ts";
import type { Sampled } from "./sampling-answers.ts";
import type { ServiceProfile } from "./service-profile.ts";
import type { RunMode, Target } from "./subject.ts";
import { LOOK_MS, type SubjectFigures, type SubjectOrder } from "./subject-figures.ts";

export interface ServiceMeasurement extends RequestLoad {
  readonly subject: string;
  readonly mode: RunMode;
  readonly body: BodyKind;
  /** A new database of Postgres; without one the subject stores its rows in a file. */
  readonly databaseUrl?: string;
  readonly built: boolean;
}

/** The results of a service under load. */
export interface ServiceFigures extends Figures {
  /** Processor time of the load's own process per request, in microseconds. */
  readonly loadCpuUsEach: number;
}

export async function measureService(measurement: ServiceMeasurement): Promise<ServiceFigures> {
  return withService(measurement, async (subject, load) => {
    await subject.ask("mark");
    const beganMs = performance.now();
    const warm = Number(await load.ask("warm"));
    const { ended } = await figuresOf(subject);
    if (ended === undefined) await subject.ask("mark");
    const seen = (await load.ask("measure")) as LoadSeen;
    const accepted = warm + seen.total;
    // Work that was deferred during the requests is part of their cost.
    const settled = ended === undefined ? undefined : Number(await subject.ask("settled"));
    if (settled !== undefined && settled !== accepted) {
      throw new Error(`${measurement.subject} accepted ${accepted} runs, and ${settled} ended.`);
    }
    const tookSeconds = (performance.now() - beganMs - LOOK_MS) / 1_000;
    const { cpuUs, peakRssMb, commits } = await figuresOf(subject);
    const counted = settled ?? seen.total;
    return {
      perSecond: seen.perSecond,
      p50Ms: seen.p50Ms,
      p99Ms: seen.p99Ms,
      peakRssMb,
      cpuUsEach: cpuUs / counted,
      ...(commits !== undefined && { commitsEach: commits / counted }),
      loadCpuUsEach: seen.cpuUsEach,
      ...(settled !== undefined && { endedPerSecond: settled / tookSeconds }),
    };
  });
}

async function figuresOf(subject: MeasuredProcess): Promise<SubjectFigures> {
  return (await subject.ask("figures")) as SubjectFigures;
}

/** The profile of the subject's time or memory in the measured window. */
export async function profileService(measurement: ServiceMeasurement, sampled: Sampled): Promise<ServiceProfile> {
  return withService(measurement, async (subject, load) => {
    await load.ask("warm");
    await subject.ask(sampled);
    const { total, perSecond } = (await load.ask("measure")) as LoadSeen;
    return { count: total, perSecond, summary: (await subject.ask("sampled")) as ProfileSummary };
  });
}

function withService<T>(
  { subject, mode, body, databaseUrl, built, connections, warmRequests, measureMs }: ServiceMeasurement,
  use: (subject: MeasuredProcess, load: MeasuredProcess) => Promise<T>,
): Promise<T> {
  return withFreshFolder(async (directory) => {
    const place = { directory, ...(databaseUrl !== undefined && { databaseUrl }) };
    const server = startChild("subject-child.ts", { subject, mode, ...place } satisfies SubjectOrder, built);
    try {
      const target = (await server.begun) as Target;
      const order: LoadOrder = { target, body, connections, warmRequests, measureMs };
      const load = startChild("load-child.ts", order, built);
      try {
        await load.begun;
        return await use(server, load);
      } finally {
        await load.end();
      }
    } finally {
      await server.end();
    }
  });
}
