import type { Pool, PoolClient } from "pg";
import type { ScheduledConnection, StatementScheduler } from "./statement-scheduler.ts";

/**
 * A pool whose statements wait for their turn; without a scheduler they are sent at once. Everything else is unchanged.
 *
 * @param scheduler the current scheduler
 */
export function scheduledPool(pool: Pool, scheduler: () => StatementScheduler | undefined, node: string): Pool {
  // One per connection and permanent, because the adapter remembers which connections it has set up.
  const known = new Map<PoolClient, PoolClient>();
  const connect = async (): Promise<PoolClient> => {
    const client = await pool.connect();
    const pid = (client as unknown as { readonly processID: number }).processID;
    const scheduled =
      known.get(client) ?? scheduledClient(client, scheduler, { name: `${node}.${known.size + 1}`, pid });
    known.set(client, scheduled);
    return scheduled;
  };
  const query = async (...statement: readonly unknown[]): Promise<unknown> => {
    const client = await connect();
    try {
      return await (client.query as (...all: readonly unknown[]) => Promise<unknown>)(...statement);
    } finally {
      client.release();
    }
  };
  return withMethods(pool, { connect, query });
}

function scheduledClient(
  client: PoolClient,
  scheduler: () => StatementScheduler | undefined,
  connection: ScheduledConnection,
): PoolClient {
  const send = client.query.bind(client) as (...all: readonly unknown[]) => Promise<unknown>;
  const query = (...statement: readonly unknown[]): Promise<unknown> =>
    scheduler()?.submit(connection, labelOf(statement[0]), () => send(...statement)) ?? send(...statement);
  return withMethods(client, { query });
}

function withMethods<T extends object>(target: T, methods: Readonly<Record<string, unknown>>): T {
  return new Proxy(target, {
    get: (_target, key) => {
      if (typeof key === "string" && key in methods) return methods[key];
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}

/** A statement's name, or the beginning of its text. */
function labelOf(statement: unknown): string {
  const { name, text } = (typeof statement === "string" ? { text: statement } : statement) as {
    readonly name?: string;
    readonly text?: string;
  };
  return name?.split(" ")[1] ?? name ?? (text ?? "?").replaceAll(/\s+/g, " ").trim().slice(0, 24);
}
