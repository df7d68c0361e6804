/* People over real HTTP: three server processes on one Postgres database. */
import { randomUUID } from "node:crypto";
import { openTestDatabase } from "@procedo-testing/postgres";
import type { AccessRole, CreatedApiKey, Environment } from "@procedo/contract";
import { countCases } from "@procedo-testing/tiers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { approval, payment } from "./bank.ts";
import { ask, password } from "./people-of-a-service.ts";
import {
  fileWith,
  makePlace,
  procedoJson,
  startProcess,
  withEngine,
  type Place,
  type ServerProcess,
} from "./server-process.ts";

const environments = ["sandbox", "live"] as const;
const otherThan = (environment: Environment): Environment => (environment === "sandbox" ? "live" : "sandbox");

let place: Place;
let closeDatabase: () => Promise<void>;
const nodes: ServerProcess[] = [];
/** A key of each environment, created before people joined. */
const keys = new Map<Environment, string>();

beforeAll(async () => {
  const { url, close } = await openTestDatabase();
  closeDatabase = close;
  place = makePlace({ DATABASE_URL: url, PROCEDO_MASTER_KEY: "ab".repeat(32) });
  for (let n = 0; n < 3; n++) nodes.push(await startProcess(place));
  for (const document of [payment, approval]) {
    const file = fileWith(place, `${document.procedureId}.json`, document);
    await procedoJson(place, "procedures", "publish", file, "--version", "1", "--default", "sandbox,live");
  }
  for (const environment of environments) {
    const create = ["keys", "create", "--name", "starter", "--environment", environment];
    keys.set(environment, (await procedoJson<CreatedApiKey>(place, ...create)).key);
  }
});

afterAll(async () => {
  for (const { kill, ended } of nodes) {
    kill("SIGKILL");
    await ended;
  }
  place.remove();
  await closeDatabase();
});

/** The nodes take turns. */
let turn = 0;
const nextNode = (): string => nodes[(turn += 1) % nodes.length]?.url ?? "";

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly retryAfterMs: number;
}

/** Calls `"POST /path"` on one node. */
async function request(target: string, token?: string, body?: unknown, node = nextNode()): Promise<Answer> {
  const [method = "", path = ""] = target.split(" ");
  const response = await fetch(`${node}${path}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return {
    status: response.status,
    body: (await response.json()) as Answer["body"],
    retryAfterMs: Number(response.headers.get("retry-after") ?? 0) * 1_000,
  };
}

let names = 0;

interface Member {
  readonly personId: string;
  readonly email: string;
  readonly token: string;
}

const signIn = async (email: string): Promise<string> => {
  const { body } = await request("POST /api/v1/session", undefined, { email, password, answerWith: "token" });
  return String(body["token"]);
};

async function join(access: Partial<Record<Environment, readonly AccessRole[]>>): Promise<Member> {
  const email = `p${(names += 1)}@example.com`;
  let personId = "";
  const by = { person: "operator" };
  const hasRole = Object.values(access).some((roles) => roles.length > 0);
  await withEngine(place, async ({ people }) => {
    // An invitation gives at least one role, which can be taken away afterwards.
    const { token } = await people.invite({ email, access: hasRole ? access : { sandbox: ["viewer"] }, by });
    const accepted = await ask(`${nextNode()}/api/v1/invitations/accept`, { token, name: email, password });
    personId = (accepted.body as { readonly id: string }).id;
    if (!hasRole) await people.update({ personId, access: { sandbox: [] }, by });
  });
  return { personId, email, token: await signIn(email) };
}

const everywhere = { sandbox: ["owner"], live: ["owner"] } as const;

/** A review that waits for a decision. */
async function openReview(environment: Environment): Promise<string> {
  const key = keys.get(environment);
  const { status: started, body } = await request(`POST /v1/procedures/approval/${environment}`, key, {
    data: { sum: 1 },
  });
  expect(started, JSON.stringify(body)).toBe(202);
  const runId = String(body["runId"]);
  const status = async () => (await request(`GET /runs/${runId}`, key)).body["status"];
  await expect.poll(status).toBe("awaiting_review");
  return runId;
}

/** The kinds of operations, with the status where the caller may. */
const kinds: Readonly<
  Record<string, { readonly ok: number; ask(token: string, environment: Environment, runId: string): Promise<Answer> }>
> = {
  read: { ok: 200, ask: (token, environment) => request(`GET /api/v1/runs?environment=${environment}`, token) },
  run: {
    ok: 202,
    ask: (token, environment) =>
      request(`POST /api/v1/procedures/payment/runs?environment=${environment}`, token, { data: { sum: 1 } }),
  },
  manage: {
    ok: 201,
    ask: (token, environment) =>
      request(`POST /api/v1/webhooks?environment=${environment}`, token, {
        url: "http://127.0.0.1:8/hook",
        events: ["run_failed"],
      }),
  },
  review: {
    ok: 200,
    ask: (token, environment, runId) =>
      request(`POST /api/runner-proxy/review/${runId}?environment=${environment}`, token, {
        approved: true,
        idempotencyKey: randomUUID(),
      }),
  },
};

/** What each set of roles may do, besides nothing in the other environment. */
const roleSets: readonly (readonly [readonly AccessRole[], readonly string[]])[] = [
  [[], []],
  [["viewer"], ["read"]],
  [["reviewer"], ["read", "review"]],
  [["builder"], ["read", "run", "manage"]],
  [["owner"], ["read", "run", "manage"]],
];

describe.each(environments)("in %s", (environment) => {
  test.each(roleSets)(
    "a person with the roles %j may do %j, and nothing in the other environment",
    async (roles, may) => {
      const { token } = await join({ [environment]: roles });
      for (const where of [otherThan(environment), environment]) {
        const runId = await openReview(where);
        for (const [kind, { ok, ask: asking }] of Object.entries(kinds)) {
          const expected = where === environment && may.includes(kind) ? ok : 403;
          const answer = await asking(token, where, runId);
          expect(answer.status, `${kind} in ${where}: ${JSON.stringify(answer.body)}`).toBe(expected);
          if (expected === 403) expect(answer.body).toMatchObject({ code: "permission_denied" });
          countCases(1);
        }
      }
    },
  );
});

test("two owners who remove each other at the same moment, on two nodes, leave one", async () => {
  const olga = await join(everywhere);
  const otto = await join(everywhere);
  const [first = "", second = ""] = nodes.map(({ url }) => url);
  for (let round = 0; round < 4; round++) {
    const [a, b] = round % 2 === 0 ? [olga, otto] : [otto, olga];
    const tokens = [await signIn(a.email), await signIn(b.email)];
    const answers = await Promise.all([
      request(`DELETE /api/v1/people/${b.personId}`, tokens[0], undefined, first),
      request(`DELETE /api/v1/people/${a.personId}`, tokens[1], undefined, second),
    ]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    // The second one is too late as the last owner, or as a person whose session has ended.
    expect([401, 403, 409]).toContain(statuses.find((status) => status !== 200));
    const [stays, gone] = statuses[0] === 200 ? [tokens[0], b] : [tokens[1], a];
    const { body } = await request("GET /api/v1/people", stays);
    const owners = (body["data"] as readonly { readonly isActive: boolean; readonly access: object }[]).filter(
      ({ isActive, access }) => isActive && JSON.stringify(access) === JSON.stringify(everywhere),
    );
    expect(owners).toHaveLength(1);
    expect((await request(`PATCH /api/v1/people/${gone.personId}`, stays, { isActive: true })).status).toBe(200);
    countCases(1);
  }
});

test("1,000 guesses over three nodes are throttled as one, also by a node that was restarted", async () => {
  const { email } = await join({ live: ["viewer"] });
  const guess = { email, password: "not the password", answerWith: "token" };
  const startedMs = performance.now();
  let compared = 0;
  let asked = 0;
  let retryAfterMs = 0;
  const guesses = async (count: number, node?: string): Promise<void> => {
    for (let n = 0; n < count; n++) {
      const answer = await request("POST /api/v1/session", undefined, guess, node);
      asked += 1;
      if (answer.status === 401) compared += 1;
      else expect(answer).toMatchObject({ status: 429, body: { code: "rate_limited" } });
      retryAfterMs = answer.retryAfterMs;
    }
  };
  /** 5 without a delay, and one after each delay that has passed: 1 s, 2 s, 4 s … */
  const expectThrottled = (): void => {
    const elapsedMs = performance.now() - startedMs;
    const delays = Math.floor(Math.log2(elapsedMs / 1_000 + 1));
    expect(compared, `${asked} guesses in ${elapsedMs} ms`).toBeLessThanOrEqual(5 + delays);
    expect(compared).toBeGreaterThanOrEqual(5);
  };
  await Promise.all(Array.from({ length: 20 }, () => guesses(50)));
  expect(asked).toBe(1_000);
  expectThrottled();

  const [killed] = nodes.splice(0, 1);
  killed?.kill("SIGKILL");
  await killed?.ended;
  const restarted = await startProcess(place);
  nodes.push(restarted);
  await guesses(10, restarted.url);
  expectThrottled();
  expect(retryAfterMs).toBeGreaterThan(0);
  countCases(asked);
});
