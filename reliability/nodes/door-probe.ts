import { setTimeout as pause } from "node:timers/promises";
import type { SeededRandom } from "@procedo-testing/faults";
import type { World } from "../crash/world.ts";
import type { Door } from "./member-protocol.ts";

/** Requests to one node's HTTP interface, several times a second, whatever becomes of those before. */
export interface Probe {
  /** Sends no more, and waits for the answers. */
  end(): Promise<Probed>;
}

export interface Probed {
  /** By status. */
  readonly answers: ReadonlyMap<number, number>;
  readonly slowestMs: number;
  /**
   * The same of what needs no storage and is asked for all the time: how late the node, or this process, is at all on a
   * machine that does much else.
   */
  readonly latestMs: number;
  /** What should not have been answered, or was never. */
  readonly wrong: readonly string[];
}

const everyMs = 250;
const lookEveryMs = 20;
const neverMs = 30_000;

/** Reads, and starts runs that the world has planned: with their keys, so that nobody starts one twice. */
export function createProbe({ url, key }: Door, world: World, random: SeededRandom): Probe {
  const answers = new Map<number, number>();
  const wrong: string[] = [];
  let slowestMs = 0;
  let latestMs = 0;
  const under: Promise<void>[] = [];

  const send = async (path: string, init: RequestInit = {}): Promise<void> => {
    const beganMs = performance.now();
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", ...init.headers };
    try {
      const response = await fetch(url + path, { ...init, headers, signal: AbortSignal.timeout(neverMs) });
      const text = await response.text();
      const { status } = response;
      answers.set(status, (answers.get(status) ?? 0) + 1);
      const fault = faultOf(path, { status, text, retryAfter: response.headers.get("retry-after") });
      if (fault !== undefined) wrong.push(fault);
    } catch (error) {
      wrong.push(`${path} was never answered: ${error instanceof Error ? error.message : String(error)}`);
    }
    slowestMs = Math.max(slowestMs, Math.round(performance.now() - beganMs));
  };
  let isOver = false;
  const lookAlive = async (): Promise<void> => {
    while (!isOver) {
      const beganMs = performance.now();
      await pause(lookEveryMs);
      await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(neverMs) }).then(
        (response) => response.text(),
        () => undefined,
      );
      latestMs = Math.max(latestMs, Math.round(performance.now() - beganMs));
    }
  };
  const looking = lookAlive();
  const timer = setInterval(() => {
    under.push(send("/api/v1/runs?limit=1"));
    if (world.starts.length === 0) return;
    const start = random.pick(world.starts);
    const body = JSON.stringify({ data: start.input });
    under.push(
      send("/v1/procedures/crash/sandbox", { method: "POST", body, headers: { "idempotency-key": start.key } }),
    );
  }, everyMs);

  return {
    end: async () => {
      clearInterval(timer);
      await Promise.all(under);
      isOver = true;
      await looking;
      return { answers, slowestMs, latestMs, wrong };
    },
  };
}

/** What is wrong with an answer: a node that cannot reach its database says so, and when to ask again. Pure. */
export function faultOf(
  path: string,
  { status, text, retryAfter }: { readonly status: number; readonly text: string; readonly retryAfter: string | null },
): string | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status !== 503) return `${path} answered ${status}: ${text}`;
  return retryAfter === null ? `${path} answered 503 without Retry-After` : undefined;
}
