import { manualClock, seededRandom, type ManualClock } from "@procedo-testing/faults";
import { createMemoryStorage, type RecordStore } from "@procedo/storage";
import { createAuditLog } from "../audit/audit-log.ts";
import type { Egress } from "../egress/egress.ts";
import { EgressError } from "../egress/egress-error.ts";
import { createSecretBox } from "../secrets/secret-box.ts";
import { client, simulatedServer } from "./authorization-server.fixture.ts";
import type { GrantPlace } from "./grant-record.ts";
import { createGrants, type Grants } from "./grants.ts";

export const workspace = "main";
export const place: GrantPlace = { environment: "live", connectionId: "con_1" };
export const secret = "client_secret_0123456789";

/** The entry of a removal. */
export const removal = {
  ...{ by: "ana", via: "ana", action: "connection.authorization_removed", subject: "live/con_1" },
};

/** Nodes of one storage, with one authorization server. */
export function grantWorld({ graceMs = 0, seed = 1 } = {}) {
  const clock = manualClock();
  const storage = createMemoryStorage({ now: () => clock.now() });
  const server = simulatedServer(clock, { graceMs });
  const random = seededRandom(seed, "grants");
  const warnings: string[] = [];
  let nodes = 0;

  const node = ({
    records = storage.records,
    answer = (body) => server.answer(body),
  }: {
    readonly records?: RecordStore;
    readonly answer?: (body: string) => Promise<Response> | Response;
  } = {}): Grants => {
    const egress: Pick<Egress, "fetch"> = {
      fetch: async ({ body = "", beforeSend }) => {
        const withheld = beforeSend?.();
        if (withheld !== undefined) throw new EgressError("withheld", withheld, { sent: "no" });
        const asked = typeof body === "string" ? body : new TextDecoder().decode(body);
        const answered = await answer(asked);
        const bytes = new Uint8Array(await answered.arrayBuffer());
        return { status: answered.status, headers: answered.headers, body: bytes, url: "", truncated: false };
      },
    };
    return createGrants({
      storage: { records },
      workspace,
      secretBox: createSecretBox({ keys: [{ id: "k1", key: new Uint8Array(32).fill(7) }], random: random.bytes }),
      audit: createAuditLog({ audit: storage.audit, clock, chainKey: new Uint8Array(32) }, workspace),
      egress,
      clock,
      log: { info: () => {}, warn: (message: string) => void warnings.push(message), error: () => {} },
      holder: `node_${(nodes += 1)}`,
    });
  };

  /** The details of the entries about the grant's end. */
  const endings = async () => {
    const { entries } = await storage.audit.listNewest({
      workspace,
      limit: 100,
      action: "connection.authorization_ended",
    });
    return entries.map(({ body }) => (JSON.parse(body) as { readonly details: unknown }).details);
  };

  return { clock, storage, server, node, warnings, endings };
}

export type GrantWorld = ReturnType<typeof grantWorld>;

/** Moves the clock from timer to timer until the work has ended. */
export async function driven<T>(clock: ManualClock, work: Promise<T>): Promise<T> {
  let isOver = false;
  const ended = work.finally(() => {
    isOver = true;
  });
  ended.catch(() => {});
  for (let idle = 0; !isOver;) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    idle += 1;
    if (idle < 4 || isOver) continue;
    idle = 0;
    const nextMs = clock.nextTimerInMs();
    if (Number.isFinite(nextMs)) await clock.advance(nextMs);
  }
  return await ended;
}

/** Stores the grant of a person. */
export async function authorized(world: GrantWorld, grants: Grants, accountId = "acc_1"): Promise<boolean> {
  const body = (await world.server.authorize().json()) as Readonly<Record<string, string | number>>;
  const tokens = { access: String(body["access_token"]), refresh: String(body["refresh_token"]) };
  const answer = {
    status: "granted",
    tokens,
    lifetimeMs: Number(body["expires_in"]) * 1_000,
    scopes: undefined,
  } as const;
  const account = { id: accountId, name: "Example Ltd" };
  const fact = { by: "ana", via: "ana", action: "connection.authorized", subject: "live/con_1" };
  const given = await grants.give(
    ...([place, client, { answer, sentAtMs: world.clock.now(), account, by: "ana" }] as const),
    {
      isAccepted: (before) => before === undefined || before.id === accountId,
      fact: () => fact,
    },
  );
  return given.isStored;
}
