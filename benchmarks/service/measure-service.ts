/** One measurement of W4: the subject and the load in a fresh process each, with a fresh database. */
import type { Figures } from "../figures.ts";
import { withFreshFolder } from "../fresh-process.ts";
import type { ProfileSummary } from "../sampled-profile.ts";
import { type AskedChild, startChild } from "./asked-child.ts";
import type { LoadOrder, LoadSeen, RequestLoad } from "./load-child.ts";
import type { BodyKind } from "./requests.ts";
import type { ServiceProfile } from "./service-profile.ts";
import type { RunMode, Target } from "./subject.ts";
import type { SubjectFigures, SubjectOrder } from "./subject-child.ts";

export interface ServiceMeasurement extends RequestLoad {
  readonly subject: string;
  readonly mode: RunMode;
  readonly body: BodyKind;
  /** A new database of Postgres; without one what is measured keeps its rows in a file. */
  readonly databaseUrl?: string;
  readonly built: boolean;
}

/** What is seen of a service under load. */
export interface ServiceFigures extends Figures {
  /** What of the runs that were accepted had ended when the load ended; only of subjects that run them. */
  readonly endedShare?: number;
  /** Processor time of the load's own process by request, in microseconds. */
  readonly loadCpuUsEach: number;
}

export async function measureService(measurement: ServiceMeasurement): Promise<ServiceFigures> {
  return withService(measurement, async (subject, load) => {
    const warm = Number(await load.ask("warm"));
    await subject.ask("mark");
    const seen = (await load.ask("measure")) as LoadSeen;
    const { cpuUs, peakRssMb, commits, ended } = (await subject.ask("figures")) as SubjectFigures;
    const accepted = warm + seen.total;
    if (ended !== undefined && (await subject.ask("settled")) !== accepted) {
      throw new Error(`${measurement.subject} accepted ${accepted} runs, and not as many ended.`);
    }
    return {
      perSecond: seen.perSecond,
      p50Ms: seen.p50Ms,
      p99Ms: seen.p99Ms,
      peakRssMb,
      cpuUsEach: cpuUs / seen.total,
      ...(commits !== undefined && { commitsEach: commits / seen.total }),
      loadCpuUsEach: seen.cpuUsEach,
      ...(ended !== undefined && { endedShare: ended / accepted }),
    };
  });
}

/** Where the subject's time goes in the measured window. */
export async function profileService(measurement: ServiceMeasurement): Promise<ServiceProfile> {
  return withService(measurement, async (subject, load) => {
    await load.ask("warm");
    await subject.ask("sample");
    const { total, perSecond } = (await load.ask("measure")) as LoadSeen;
    return { count: total, perSecond, summary: (await subject.ask("sampled")) as ProfileSummary };
  });
}

function withService<T>(
  { subject, mode, body, databaseUrl, built, connections, warmRequests, measureMs }: ServiceMeasurement,
  use: (subject: AskedChild, load: AskedChild) => Promise<T>,
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
