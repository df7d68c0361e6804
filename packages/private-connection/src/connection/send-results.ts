import { maxResultsTogether } from "@procedo/contract";
import type { Runtime } from "../runtime.ts";
import type { Reply, ResultValue, Service } from "../service/service.ts";

/** Sends a result's body once. Results that end at the same time are sent in one request. */
export type SendResult = (body: string) => Promise<Reply<ResultValue>>;

export interface SendResultsPorts {
  readonly service: Pick<Service, "result" | "results">;
  readonly runtime: Pick<Runtime, "soon" | "after">;
}

interface Waiting {
  readonly body: string;
  readonly answer: (reply: Reply<ResultValue>) => void;
}

/**
 * The number of result requests in flight at which further results wait and are batched.
 * docs/performance/private-calls.md#constants
 */
const mostUnderWay = 2;
/**
 * The longest wait of such results: on a slow connection, answers take long, and batching must not delay results much.
 */
const longestWaitMs = 10;
/**
 * The maximum size of a batch. A larger result is sent alone, because others in its request would wait for its bytes.
 */
const maxBytesTogether = 1_048_576;

/**
 * Batches the results that become ready in one event-loop turn, and those that become ready while requests are in
 * flight. If the service accepts only one result at a time, each result is sent alone.
 */
export function createSendResults({ service, runtime }: SendResultsPorts): SendResult {
  const waiting: Waiting[] = [];
  let underWay = 0;
  let isPlanned = false;
  let cancelWait: (() => void) | undefined;
  let takesSeveral = true;

  function plan(): void {
    if (isPlanned || waiting.length === 0) return;
    if (underWay >= mostUnderWay) {
      cancelWait ??= runtime.after(longestWaitMs, () => send(Infinity));
      return;
    }
    isPlanned = true;
    runtime.soon(() => {
      isPlanned = false;
      send(mostUnderWay);
      plan();
    });
  }

  function send(most: number): void {
    cancelWait?.();
    cancelWait = undefined;
    while (waiting.length > 0 && underWay < most) void sendNext();
  }

  async function sendNext(): Promise<void> {
    underWay++;
    await sendTogether(nextOf(waiting));
    underWay--;
    plan();
  }

  async function sendTogether(results: readonly Waiting[]): Promise<void> {
    if (results.length === 1 || !takesSeveral) return await sendApart(results);
    const reply = await service.results(results.map(({ body }) => body));
    if (reply.kind !== "answered") {
      for (const { answer } of results) answer(reply);
      return;
    }
    if (reply.value.kind === "not_taken") takesSeveral = false;
    if (reply.value.kind !== "settled") return await sendApart(results);
    for (const [index, value] of reply.value.each.entries()) results[index]?.answer({ kind: "answered", value });
  }

  async function sendApart(results: readonly Waiting[]): Promise<void> {
    await Promise.all(results.map(async ({ body, answer }) => answer(await service.result(body))));
  }

  return (body) => {
    if (!takesSeveral) return service.result(body);
    return new Promise((answer) => {
      waiting.push({ body, answer });
      plan();
    });
  };
}

/** Removes and returns the first results that fit in one request. */
function nextOf(waiting: Waiting[]): readonly Waiting[] {
  let count = 0;
  let bytes = 0;
  for (const { body } of waiting.slice(0, maxResultsTogether)) {
    bytes += Buffer.byteLength(body);
    if (bytes > maxBytesTogether) break;
    count++;
  }
  return waiting.splice(0, Math.max(count, 1));
}
