import { setTimeout as pause } from "node:timers/promises";
import type { SeededRandom } from "@procedo-testing/faults";
import type { World } from "../crash/world.ts";
import type { Door } from "./member-protocol.ts";

/** Requests to one node's HTTP interface, several times a second, independent of earlier answers. */
export interface Probe {
  /** Stops sending, and waits for the answers. */
  end(): Promise<Probed>;
}

export interface Probed {
  /** Number of answers by status. */
  readonly answers: ReadonlyMap<number, number>;
  readonly slowestMs: number;
  /**
   * The slowest answer of a request that needs no storage: the general delay of the node, or of this process, on a busy
   * machine.
   */
  readonly latestMs: number;
  /** Wrong answers and requests that were never answered. */
  readonly wrong: readonly string[];
}

const everyMs = 250;
const lookEveryMs = 20;
const neverMs = 30_000;

/** Reads, and starts planned runs of the world with their keys, so that none starts twice. */
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

/** The fault of an answer: a node that cannot reach its database must answer 503 with Retry-After. Pure. */
export function faultOf(
  path: string,
  { status, text, retryAfter }: { readonly status: number; readonly text: string; readonly retryAfter: string | null },
): string | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status !== 503) return `${path} answered ${status}: ${text}`;
  return retryAfter === null ? `${path} answered 503 without Retry-After` : undefined;
}
