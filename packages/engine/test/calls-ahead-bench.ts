/* A bench with a client to which calls of its function go out ahead of their commit. */
import { unavailable } from "./interruptible-storage.ts";
import { calling, createPrivateBench, type PrivateBench } from "./private-bench.ts";

export const environment = "sandbox";
export const scope = { workspace: "default", environment } as const;
const verbs = ["runs.commit", "invocations.lease", "invocations.extend", "invocations.settle"];

export function counts({ engine }: PrivateBench): readonly number[] {
  return verbs.map((verb) => engine.way.count(verb));
}

export const statuses = async ({ storage }: PrivateBench, runId: string): Promise<readonly string[]> =>
  (await storage.invocations.ofRun({ scope, runId })).map((row) => row.status);

/** Its client has made a call, and its next poll is being held. */
export async function holding(max = 10, acknowledges = true) {
  const bench = await createPrivateBench();
  const client = await bench.connect(undefined, { acknowledges });
  await bench.publish(calling(), { version: "v1", defaultIn: [environment] });
  const first = client.poll(max);
  await bench.clock.settle();
  await bench.run({});
  const [call] = await first;
  if (call === undefined) throw new Error("There was no call.");
  await client.beat(call);
  const poll = client.poll(max);
  await bench.clock.settle();
  await client.answer(call, "first");
  const before = counts(bench);
  const since = (): readonly number[] => counts(bench).map((count, index) => count - (before[index] ?? 0));
  return { bench, client, poll, since };
}

export function start({ engine }: PrivateBench) {
  return engine.runs.start({ procedureId: "p", environment, data: {}, by: { person: "alice" } });
}

export async function only<Value>(answered: Promise<readonly Value[]>): Promise<Value> {
  const [value, ...more] = await answered;
  if (value === undefined || more.length > 0) throw new Error("There was not one.");
  return value;
}

/** Has commits answered by nothing; what this returns lets the last one be stored all the same. */
export function commitUnheard({ engine }: PrivateBench): () => Promise<unknown> {
  let last = (): Promise<unknown> => Promise.resolve();
  engine.way.on("runs.commit", (work) => {
    last = work;
    return Promise.reject(unavailable());
  });
  return () => last();
}

/** Holds commits up until what this returns is called. */
export function holdCommits({ engine }: PrivateBench): () => void {
  const durable = Promise.withResolvers<void>();
  engine.way.on("runs.commit", async (work) => {
    await durable.promise;
    return await work();
  });
  return durable.resolve;
}
