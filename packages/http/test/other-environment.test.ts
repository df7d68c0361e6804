/* No request of a key of one environment, with any id, returns data that was planted in the other. */
import type { JsonObject } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { operations } from "../src/operations/operations.ts";
import { asJson, createHarness, type Answered, type Harness } from "./harness.ts";
import { documentText } from "./listed-api.ts";
import { createOffice } from "./private-office.ts";
import { requests } from "./requests.ts";

let names = 0;
const newName = (): string => `guess-${(names += 1)}`;

describe("an answer to a key of sandbox contains no data of live", () => {
  const planted = "planted-in-live";

  /** Plants a text in all resources of live, and returns the ids by which a sandbox key might request them. */
  async function plant(harness: Harness) {
    const live = { environment: "live", by: { person: "olga" } } as const;
    const { engine } = harness;
    const settings = { spec: { text: documentText() } };
    const connection = { ...live, name: planted, integration: "custom_api", settings, secrets: { token: planted } };
    const { connectionId } = await engine.connections.create(connection);
    const hook = {
      ...live,
      url: `http://127.0.0.77:8099/${planted}`,
      name: planted,
      events: ["custom.never"],
      isActive: false,
    };
    const { webhookId } = await engine.webhooks.create(hook);
    const start = { ...live, procedureId: "ask", data: { amount: 1, note: planted }, idempotencyKey: planted };
    const { runId } = await engine.runs.execute(start);
    const trigger = { name: planted, procedureId: "echo", source: { kind: "event", name: "custom.never" } } as const;
    const { triggerId } = await engine.triggers.create({ ...live, ...trigger, input: { note: planted } });
    const { firingId } = await engine.triggers.fire({ ...live, triggerId, event: { note: planted } });
    const office = await createOffice(harness, "office");
    const declared = { name: planted, description: planted, input: { type: "object" } };
    const token = office.tokens.live;
    const { status } = await harness.ask("PUT /v1/sdk/functions", { key: token, body: { functions: [declared] } });
    expect(status).toBe(200);
    const [review] = await engine.reviews.ofRun({ environment: "live", runId });
    const reviewId = review?.reviewId ?? "";
    return { connectionId, webhookId, runId, reviewId, triggerId, firingId, officeId: office.connectionId };
  }

  test.each(operations.flatMap(({ id, access }) => (access === "key" ? [id] : [])))("%s", async (id) => {
    const harness = await createHarness();
    const ids = await plant(harness);
    const key = await harness.key(["run", "manage", "review"]);
    const answers: Answered[] = [];
    for (const placement of requests[id]?.placements ?? []) {
      const prepared = await requests[id]?.prepare(harness, "sandbox", placement);
      const { target = "", subject = "\0", body } = prepared ?? {};
      // Also with the ids of live.
      const targets = [target, ...Object.values(ids).map((liveId) => target.replace(subject, liveId))];
      for (const one of new Set(targets)) {
        answers.push(await harness.ask(one, { key, ...(body !== undefined && { body }) }));
      }
    }
    expect(answers.length).toBeGreaterThan(0);
    for (const { text } of answers) expect(text).not.toContain(planted);
  });

  test("nor do the answers to publishing, saving and checking a document that names a connection of live", async () => {
    // The same answer, whether or not live has the resource.
    const say = async (connection: string): Promise<readonly string[]> => {
      const harness = await createHarness();
      await plant(harness);
      const key = await harness.key();
      const document = {
        ...asJson((await createOffice(harness, newName(), "sandbox")).document),
        procedureId: "guess",
        name: "guess",
      };
      const text = JSON.stringify(document).replace(/"connection":"[^"]+"/, `"connection":"${connection}"`);
      const body = { document: JSON.parse(text) as JsonObject };
      const { revision = 0 } =
        (await harness.engine.procedures.get({ procedureId: "guess" }).catch(() => undefined))?.draft ?? {};
      const answers = [
        await harness.ask("PUT /api/v1/procedures/guess/draft", { key, body: { ...body, revision } }),
        await harness.ask("POST /api/v1/procedures/guess/validate", { key, body }),
        await harness.ask("POST /api/v1/procedures/guess/versions", { key, body: { ...body, version: newName() } }),
        await harness.ask("POST /api/v1/connections", {
          key,
          body: { name: connection, integration: "private_connection" },
        }),
      ];
      return answers.map(({ status, body: { problems, code, details } }) =>
        JSON.stringify({ status, problems, code, details })
          .replaceAll(connection, "…")
          .replace(/guess-\d+/g, "guess"),
      );
    };
    expect(await say(planted)).toEqual(await say("of-nobody"));
  });
});

test("no answer contains a digest of a token", async () => {
  const harness = await createHarness();
  const { connectionId } = await createOffice(harness);
  const { text } = await harness.ask(`GET /api/v1/connections/${connectionId}`, { key: await harness.key([]) });
  expect(text).toContain('"office"');
  expect(text).not.toContain("tokens");
});
