/* A session's request that names a run by its id only, as the interface describes: no environment is named. */
import { randomUUID } from "node:crypto";
import { environments, type Environment } from "@procedo/contract";
import { countCases } from "@procedo-testing/tiers";
import { describe, expect, test } from "vitest";
import { createHarness, origin, owner, textOf, type Harness, type NewPerson } from "./harness.ts";

const decision = () => ({ approved: true, idempotencyKey: randomUUID() });
const requests = [
  ["pollRun", (runId: string) => `GET /runs/${runId}`, undefined, "run_not_found"],
  ["decideReview", (runId: string) => `POST /api/runner-proxy/review/${runId}`, decision, "review_not_found"],
] as const;

/** A person, and the statuses of both requests for a run of each environment. */
const people: readonly [string, NewPerson, Readonly<Record<Environment, readonly [number, number]>>][] = [
  [
    "a reviewer of both",
    { access: { sandbox: ["reviewer"], live: ["reviewer"] } },
    { sandbox: [200, 200], live: [200, 200] },
  ],
  ["a reviewer of sandbox", { access: { sandbox: ["reviewer"] } }, { sandbox: [200, 200], live: [404, 404] }],
  ["a reviewer of live", { access: { live: ["reviewer"] } }, { sandbox: [404, 404], live: [200, 200] }],
  [
    "a builder of sandbox who reviews live",
    { access: { sandbox: ["builder"], live: ["reviewer"] } },
    { sandbox: [200, 403], live: [200, 200] },
  ],
  ["a person of groups only", { groups: ["treasury"] }, { sandbox: [404, 404], live: [404, 404] }],
];

const runIn = async ({ engine }: Harness, environment: Environment): Promise<string> =>
  (await engine.runs.execute({ environment, procedureId: "ask", data: { amount: 1 }, by: owner })).runId;

describe.each(people)("%s", (_who, given, statuses) => {
  test.each(requests)("%s finds the run in the environments of the person, without naming one", async (...row) => {
    const [id, target, body, code] = row;
    const harness = await createHarness();
    const { token } = await harness.person(given);
    for (const headers of [{ authorization: `Bearer ${token}` }, { cookie: `procedo=${token}`, origin }]) {
      const ask = (runId: string) => harness.ask(target(runId), { headers, body: body?.() });
      const unknown = await ask("run_unknown");
      expect(unknown).toMatchObject({ status: 404, body: { code } });
      for (const environment of environments) {
        const runId = await runIn(harness, environment);
        const expected = statuses[environment][id === "pollRun" ? 0 : 1];
        const answer = await ask(runId);
        expect(answer.status, answer.text).toBe(expected);
        if (expected === 404) expect(withoutIds(answer.body, runId)).toEqual(withoutIds(unknown.body, "run_unknown"));
        const isDecided = id === "decideReview" && expected === 200;
        if (isDecided) await harness.ended(runId, environment);
        else expect(await statusOf(harness, runId, environment)).toBe("awaiting_review");
        countCases(1);
      }
    }
  });
});

test("the statusUrl of a start is answered to the session that started the run", async () => {
  const harness = await createHarness();
  const { token: key } = await harness.person({ access: { live: ["builder"] } });
  const start = await harness.ask("POST /v1/procedures/echo/live", { key, body: { data: { amount: 1 } } });
  const { pathname } = new URL(textOf(start.body["statusUrl"]));
  const answer = await harness.ask(`GET ${pathname}`, { key });
  expect(answer).toMatchObject({ status: 200, body: { runId: start.body["runId"], environment: "live" } });
});

describe("an environment that the request names", () => {
  test.each(requests)("%s: is the only one", async (_id, target, body, code) => {
    const harness = await createHarness();
    const { token: key } = await harness.person({ access: { sandbox: ["reviewer"], live: ["reviewer"] } });
    const runId = await runIn(harness, "live");
    const ask = (query: string) => harness.ask(`${target(runId)}${query}`, { key, body: body?.() });
    expect(await ask("?environment=sandbox")).toMatchObject({ status: 404, body: { code } });
    expect(await ask("?environment=mars")).toMatchObject({ status: 400, body: { code: "malformed_request" } });
    expect((await ask("?environment=live")).status).toBe(200);
  });

  test("is needed where the run's id is not all that the interface knows", async () => {
    const harness = await createHarness();
    const { token: key } = await harness.person({ access: { live: ["owner"] } });
    const runId = await runIn(harness, "live");
    expect(await harness.ask(`GET /api/v1/runs/${runId}`, { key })).toMatchObject({ status: 400 });
  });
});

const statusOf = async ({ engine }: Harness, runId: string, environment: Environment) =>
  (await engine.runs.poll({ environment, runId })).status;

function withoutIds(body: object, runId: string): unknown {
  return JSON.parse(JSON.stringify({ ...body, requestId: "" }).replaceAll(runId, ""));
}
