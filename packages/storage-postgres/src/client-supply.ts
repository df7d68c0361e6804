import type pg from "pg";
import { driverErrorOf, isOutOfConnections, outOfConnections, timedOut } from "./postgres-error.ts";
import { within } from "./within.ts";

/**
 * Lends clients of a pool, up to the number of connections that the server allows. If that is less than the pool's
 * maximum (`max_connections`, the CONNECTION LIMIT of the role or the database), callers wait for a lent client in
 * order of arrival. A pooler in session mode accepts more connections than it serves: a connection counts as refused if
 * its first statement gets no answer while other connections get answers.
 */
export interface ClientSupply {
  /**
   * @param endsAt by `performance.now()`
   * @throws ProcedoError `storage_unavailable` when no client is free by then
   */
  take(endsAt: number): Promise<pg.PoolClient>;

  /** @param isLost whether the client is ended rather than lent again */
  giveBack(client: pg.PoolClient, isLost: boolean): void;

  /** The error for a call that took too long. Names a lack of connections if that is the likely cause. */
  timedOut(): Error;

  /** Frees one of the server's connections: the next returned client is ended. */
  spare(): void;
}

export interface ClientSupplyOptions {
  readonly pool: pg.Pool;
  readonly timeoutMs: number;
  /** Called once with the number of connections that the server gives, when it is smaller than the pool's maximum. */
  readonly onLimit: (given: number) => void;
}

/** The pause after a refusal before another connection is tried. */
const growAfterMs = 30_000;
/** The interval of attempts while the server allows no connection. */
const askAgainMs = 100;
/** The time limit for the first answer on a new connection. After it, answers on other connections count against it. */
const firstAnswerMs = 1_000;

export function createClientSupply({ pool, timeoutMs, onLimit }: ClientSupplyOptions): ClientSupply {
  const waiting: (() => void)[] = [];
  let limit = Infinity;
  let limitedAt = 0;
  let lent = 0;
  /** The number of callers without a client. */
  let seeking = 0;
  /** The number of callers whose client is being connected. */
  let connecting = 0;
  let isReported = false;
  let isSparing = false;
  /** Clients with at least one answer of the server. */
  const served = new WeakSet<pg.PoolClient>();
  /** When the last working client was returned, by `performance.now()`. */
  let answeredAt = -Infinity;

  const hasPlace = (): boolean => lent + connecting < Math.min(limit, pool.options.max);

  function wakeNext(): void {
    if (waiting.length === 0 || !hasPlace()) return;
    connecting++;
    waiting.shift()?.();
  }

  async function place(endsAt: number): Promise<void> {
    if (performance.now() >= limitedAt + growAfterMs) limit = Infinity;
    if (hasPlace()) {
      connecting++;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    try {
      await within(endsAt, timeoutMs, promise);
    } catch (error) {
      waiting.splice(waiting.indexOf(resolve), 1);
      throw limit === Infinity ? error : outOfConnections(error);
    }
  }

  async function connect(endsAt: number): Promise<pg.PoolClient> {
    const connected = pool.connect();
    try {
      return await within(endsAt, timeoutMs, connected);
    } catch (error) {
      // A client that arrives late goes to another caller.
      connected.then((late) => late.release()).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Whether the server answers on this connection; `false` when it answers only on others.
   *
   * @throws ProcedoError `storage_unavailable` when the server answers on no connection
   */
  async function isServed(client: pg.PoolClient, endsAt: number): Promise<boolean> {
    if (served.has(client)) return true;
    const beganAt = performance.now();
    const onError = (): void => undefined;
    client.on("error", onError);
    const answer = client.query("SELECT 1").then(() => true);
    answer.catch(() => undefined);
    try {
      for (let waitMs = firstAnswerMs; ; waitMs = askAgainMs) {
        const waited = pause(Math.min(waitMs, endsAt - performance.now())).then(() => false);
        if (await Promise.race([answer, waited])) {
          served.add(client);
          return true;
        }
        if (answeredAt > beganAt) break;
        if (performance.now() >= endsAt) throw timedOut(timeoutMs);
      }
      client.release(true);
      return false;
    } catch (error) {
      client.release(true);
      throw driverErrorOf(error);
    } finally {
      client.removeListener("error", onError);
    }
  }

  /** `undefined` when the server allows no further connection. */
  async function tryConnect(endsAt: number): Promise<pg.PoolClient | undefined> {
    try {
      const client = await connect(endsAt);
      if (await isServed(client, endsAt)) {
        lent++;
        return client;
      }
    } catch (error) {
      if (!isOutOfConnections(error)) throw error;
    } finally {
      connecting--;
    }
    limit = Math.max(1, pool.totalCount);
    limitedAt = performance.now();
    return undefined;
  }

  /** Reports the number once no connection is being opened. */
  function reportOnce(): void {
    if (isReported || limit === Infinity || connecting > 0 || pool.totalCount === 0) return;
    isReported = true;
    onLimit(pool.totalCount);
  }

  return {
    async take(endsAt) {
      let wasRefused = false;
      seeking++;
      try {
        for (;;) {
          await place(endsAt);
          const client = await tryConnect(endsAt);
          reportOnce();
          if (client !== undefined) return client;
          wasRefused = true;
          if (lent + connecting === 0) await pause(Math.min(askAgainMs, endsAt - performance.now()));
        }
      } catch (error) {
        wakeNext();
        throw wasRefused ? outOfConnections(error) : error;
      } finally {
        seeking--;
      }
    },

    giveBack(client, isLost) {
      const spares = isSparing && pool.totalCount > 1;
      if (spares) {
        isSparing = false;
        limit = Math.max(1, Math.min(limit, pool.totalCount - 1));
        limitedAt = performance.now();
      }
      // `true` ends the connection even in the middle of a query.
      client.release(isLost || spares);
      if (!isLost) answeredAt = performance.now();
      lent--;
      wakeNext();
    },

    timedOut: () => {
      const late = timedOut(timeoutMs);
      return limit === Infinity || seeking === 0 ? late : outOfConnections(late);
    },

    spare: () => void (isSparing = true),
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, Math.max(1, ms)));
