/** One measurement of W5: sender and receivers in a fresh process each, with a fresh database. */
import type { Figures } from "../figures.ts";
import { withFreshFolder } from "../fresh-process.ts";
import type { ProfileSummary } from "../sampled-profile.ts";
import { type MeasuredProcess, startChild } from "./child-process.ts";
import type { ReceiverPorts, ReceiversOrder } from "./receivers-child.ts";
import type { Sampled } from "./sampling-answers.ts";
import type { ServiceProfile } from "./service-profile.ts";
import type { SenderFigures, SenderOrder } from "./sender-child.ts";

export interface DeliveriesMeasurement extends ReceiversOrder {
  /** Deliveries to responsive receivers, before the measured ones. */
  readonly warmDeliveries: number;
  readonly deliveries: number;
  /** A new database of Postgres; without one the sender stores its rows in a file. */
  readonly databaseUrl?: string;
  readonly built: boolean;
}

export async function measureDeliveries(measurement: DeliveriesMeasurement): Promise<Figures> {
  return withSender(measurement, async (sender) => {
    const { total: _total, ...figures } = (await sender.ask("send")) as SenderFigures;
    return figures;
  });
}

/** The profile of the sender's time or memory, including its first deliveries. */
export async function profileDeliveries(measurement: DeliveriesMeasurement, sampled: Sampled): Promise<ServiceProfile> {
  return withSender(measurement, async (sender) => {
    await sender.ask(sampled);
    const { total, perSecond } = (await sender.ask("send")) as SenderFigures;
    return { count: total, perSecond, summary: (await sender.ask("sampled")) as ProfileSummary };
  });
}

function withSender<T>(
  { answering, hanging, warmDeliveries, deliveries, databaseUrl, built }: DeliveriesMeasurement,
  use: (sender: MeasuredProcess) => Promise<T>,
): Promise<T> {
  return withFreshFolder(async (directory) => {
    const receivers = startChild("receivers-child.ts", { answering, hanging } satisfies ReceiversOrder, built);
    try {
      const ports = (await receivers.begun) as ReceiverPorts;
      const place = { directory, ...(databaseUrl !== undefined && { databaseUrl }) };
      const sender = startChild(
        "sender-child.ts",
        { ...place, ports, warmDeliveries, deliveries } satisfies SenderOrder,
        built,
      );
      try {
        await sender.begun;
        return await use(sender);
      } finally {
        await sender.end();
      }
    } finally {
      await receivers.end();
    }
  });
}
