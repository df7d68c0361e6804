import type pg from "pg";
import { isOutOfConnections, outOfConnections } from "./postgres-error.ts";
import { within } from "./within.ts";

/**
 * Lends a pool's clients, no more than the server gives. Where it gives fewer than the pool may have (`max_connections`, the
 * role's or the database's CONNECTION LIMIT), callers wait for one that is lent, in the order in which they came.
 */
export interface ClientSupply {
  /**
   * @param endsAt by `performance.now()`
   * @throws ProcedoError `storage_unavailable` when none is free by then
   */
  take(endsAt: number): Promise<pg.PoolClient>;

  /** @param isLost it is ended rather than lent again */
  giveBack(client: pg.PoolClient, isLost: boolean): void;

  /** Somebody else needs one of the server's connections: the next client that is given back is ended. */
  spare(): void;
}

export interface ClientSupplyOptions {
  readonly pool: pg.Pool;
  readonly timeoutMs: number;
  /** Told once of how many connections the server gives, when it is fewer than the pool may have. */
  readonly onLimit: (given: number) => void;
}

/** After a refusal, the supply stays as it is for so long before it tries whether the server gives more by now. */
const growAfterMs = 30_000;
/** While the server gives none at all, it is asked this often. */
const askAgainMs = 100;

export function createClientSupply({ pool, timeoutMs, onLimit }: ClientSupplyOptions): ClientSupply {
  const waiting: (() => void)[] = [];
  let limit = Infinity;
  let limitedAt = 0;
  let lent = 0;
  /** Places that were given to callers whose client is on its way. */
  let connecting = 0;
  let isTold = false;
  let isSparing = false;

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
    const lending = pool.connect();
    try {
      const client = await within(endsAt, timeoutMs, lending);
      lent++;
      return client;
    } catch (error) {
      // It may come after its time; then somebody else gets it.
      lending.then((late) => late.release()).catch(() => undefined);
      throw error;
    } finally {
      connecting--;
    }
  }

  /** `undefined` when the server gives no more connections than there are. */
  async function tryConnect(endsAt: number): Promise<pg.PoolClient | undefined> {
    try {
      return await connect(endsAt);
    } catch (error) {
      if (!isOutOfConnections(error)) throw error;
      limit = Math.max(1, lent + connecting);
      limitedAt = performance.now();
      return undefined;
    }
  }

  /** How many there are is known when none is on its way any more. */
  function tellOnce(): void {
    if (isTold || limit === Infinity || connecting > 0 || lent === 0) return;
    isTold = true;
    onLimit(lent);
  }

  return {
    async take(endsAt) {
      let wasRefused = false;
      try {
        for (;;) {
          await place(endsAt);
          const client = await tryConnect(endsAt);
          tellOnce();
          if (client !== undefined) return client;
          wasRefused = true;
          if (lent + connecting === 0) await pause(Math.min(askAgainMs, endsAt - performance.now()));
        }
      } catch (error) {
        wakeNext();
        throw wasRefused ? outOfConnections(error) : error;
      }
    },

    giveBack(client, isLost) {
      const spares = isSparing && pool.totalCount > 1;
      if (spares) {
        isSparing = false;
        limit = Math.max(1, Math.min(limit, pool.totalCount - 1));
        limitedAt = performance.now();
      }
      // `true` ends the connection, also in the middle of a query.
      client.release(isLost || spares);
      lent--;
      wakeNext();
    },

    spare: () => void (isSparing = true),
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, Math.max(1, ms)));
