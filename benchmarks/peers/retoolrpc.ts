/** The client of retoolrpc as in its README, at its default of one poll per second (100 ms at the least). */
import { RetoolRPC } from "retoolrpc";

export async function listenAsPeer(host: string): Promise<void> {
  const client = new RetoolRPC({
    apiToken: "of-the-benchmark",
    host,
    resourceId: "benchmark",
    logLevel: "error",
  });
  client.register({
    name: "echo",
    arguments: { n: { type: "number", description: "A number.", required: true } },
    implementation: ({ n }) => Promise.resolve(n),
  });
  await client.listen();
}
