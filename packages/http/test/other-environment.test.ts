/* What a key of one environment reads: nothing that was planted in the other, by any request and any id. */
import type { JsonObject } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { operations } from "../src/operations/operations.ts";
import { asJson, createBench, type Answered, type Bench } from "./bench.ts";
import { documentText } from "./listed-api.ts";
import { createOffice } from "./private-office.ts";
import { requests } from "./requests.ts";

let names = 0;
const newName = (): string => `guess-${(names += 1)}`;

describe("nothing of live is in an answer to a key of sandbox", () => {
  const planted = "planted-in-live";

  /** Plants a text in all that live has, and answers what a sandbox key might name it by. */
  async function plant(bench: Bench) {
    const live = { environment: "live", by: { person: "olga" } } as const;
    const { engine } = bench;
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
    const office = await createOffice(bench, "office");
    const declared = { name: planted, description: planted, input: { type: "object" } };
    const token = office.tokens.live;
    const { status } = await bench.ask("PUT /v1/sdk/functions", { key: token, body: { functions: [declared] } });
    expect(status).toBe(200);
    const [review] = await engine.reviews.ofRun({ environment: "live", runId });
    return { connectionId, webhookId, runId, reviewId: review?.reviewId ?? "", officeId: office.connectionId };
  }

  test.each(operations.flatMap(({ id, access }) => (access === "key" ? [id] : [])))("%s", async (id) => {
    const bench = await createBench();
    const ids = await plant(bench);
    const key = await bench.key(["run", "manage", "review"]);
    const answers: Answered[] = [];
    for (const placement of requests[id]?.placements ?? []) {
      const prepared = await requests[id]?.prepare(bench, "sandbox", placement);
      const { target = "", subject = "\0", body } = prepared ?? {};
      // Also by the ids that live has.
      const targets = [target, ...Object.values(ids).map((liveId) => target.replace(subject, liveId))];
      for (const one of new Set(targets)) {
        answers.push(await bench.ask(one, { key, ...(body !== undefined && { body }) }));
      }
    }
    expect(answers.length).toBeGreaterThan(0);
    for (const { text } of answers) expect(text).not.toContain(planted);
  });

  test("also not by what publishing, saving and checking say of a document that names a connection of live", async () => {
    // The same answer, whether or not live has it.
    const say = async (connection: string): Promise<readonly string[]> => {
      const bench = await createBench();
      await plant(bench);
      const key = await bench.key();
      const document = {
        ...asJson((await createOffice(bench, newName(), "sandbox")).document),
        procedureId: "guess",
        name: "guess",
      };
      const text = JSON.stringify(document).replace(/"connection":"[^"]+"/, `"connection":"${connection}"`);
      const body = { document: JSON.parse(text) as JsonObject };
      const { revision = 0 } =
        (await bench.engine.procedures.get({ procedureId: "guess" }).catch(() => undefined))?.draft ?? {};
      const answers = [
        await bench.ask("PUT /api/v1/procedures/guess/draft", { key, body: { ...body, revision } }),
        await bench.ask("POST /api/v1/procedures/guess/validate", { key, body }),
        await bench.ask("POST /api/v1/procedures/guess/versions", { key, body: { ...body, version: newName() } }),
        await bench.ask("POST /api/v1/connections", {
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

test("no answer holds a digest of a token", async () => {
  const bench = await createBench();
  const { connectionId } = await createOffice(bench);
  const { text } = await bench.ask(`GET /api/v1/connections/${connectionId}`, { key: await bench.key([]) });
  expect(text).toContain('"office"');
  expect(text).not.toContain("tokens");
});
