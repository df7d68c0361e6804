/*
 * The authorization matrix over time: each operation, with a key that is deleted at each stage of the request.
 * A new operation is included automatically, with its request in requests.ts.
 */
import { manualClock } from "@procedo-testing/faults";
import type { Environment, JsonObject } from "@procedo/contract";
import { createEngine } from "@procedo/engine";
import { createMemoryStorage, type Storage } from "@procedo/storage";
import { countCases } from "@procedo-testing/tiers";
import { describe, expect, test } from "vitest";
import { heavyOfKey } from "../src/access/heavy-answer-limiter.ts";
import { operations } from "../src/operations/operations.ts";
import { createHarness, origin, read, type Answered, type Harness } from "./harness.ts";
import type { Prepared } from "./request-placement.ts";
import { requests } from "./requests.ts";
import { everythingIn, watchedWork, type WatchedWork } from "./watched-work.ts";

const environment: Environment = "sandbox";
const owner = { person: "olga" };
const permissions = ["run", "manage", "review"] as const;

const keyOperations = operations.filter((operation) => operation.access === "key");
const named = <Operation extends { readonly id: string }>(all: readonly Operation[]) =>
  all.map((operation) => [operation.id, operation] as const);

interface DoomedHarness extends Harness {
  readonly storage: Storage;
  readonly work: WatchedWork;
  readonly clock: ReturnType<typeof manualClock>;
  /** A key with all permissions, and its deletion: by this node, or by another one. */
  doomed(): Promise<{ readonly key: string; deleteIt(): Promise<void>; deleteElsewhere(): Promise<void> }>;
  /** All data in storage except the changes of the key's deletion. */
  everything(): Promise<readonly string[]>;
}

async function doomedHarness(): Promise<DoomedHarness> {
  const clock = manualClock();
  const storage = createMemoryStorage({ now: clock.now });
  const work = watchedWork(storage);
  const harness = await createHarness({ clock, storage: work.storage });
  const otherNode = createEngine({ storage, integrations: [], masterKey: new Uint8Array(32).fill(7), clock });
  const deleted = new Set<string>();
  return {
    ...harness,
    storage,
    work,
    clock,
    doomed: async () => {
      const { key, keyId } = await harness.engine.keys.create({
        name: "doomed",
        environment,
        permissions,
        by: owner,
        person: "rita",
      });
      deleted.add(keyId);
      return {
        key,
        deleteIt: () => harness.engine.keys.remove({ keyId, by: owner }),
        deleteElsewhere: async () => {
          await otherNode.keys.remove({ keyId, by: owner });
          await turns();
        },
      };
    },
    everything: async () => {
      const all = await everythingIn(storage);
      return all.filter((thing) => ![...deleted].some((keyId) => thing.includes(keyId)));
    },
  };
}

async function prepared(harness: Harness, id: string): Promise<Prepared> {
  const request = requests[id];
  if (request === undefined) throw new Error(`There is no request for ${id}.`);
  return await request.prepare(harness, environment, "own");
}

/** Sends a request whose body, if it has one, arrives only after `beforeBody` has run. */
async function send(
  harness: Harness,
  { target, body }: { readonly target: string; readonly body?: JsonObject | undefined },
  key: string,
  beforeBody: () => Promise<void> = async () => {},
): Promise<Response> {
  const [method = "", path = ""] = target.split(/ (.*)/s);
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        await beforeBody();
        controller.enqueue(new TextEncoder().encode(JSON.stringify(body)));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const headers = { authorization: `Bearer ${key}`, ...(body !== undefined && { "content-type": "application/json" }) };
  const init = { method, headers, ...(body !== undefined && { body: stream, duplex: "half" as const }) };
  return await harness.http.fetch(new Request(`${origin}${path}`, init));
}

function expectRefused(answer: Answered, { subject = "" }: Pick<Prepared, "subject"> = {}): void {
  expect(answer, answer.text).toMatchObject({ status: 401, body: { code: "unauthorized" } });
  expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  expect(Object.keys(answer.body).sort()).toEqual(["code", "error", "requestId"]);
  if (subject !== "") expect(answer.text).not.toContain(subject);
}

/** Runs everything that is ready. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe("a key that is deleted before the request is answered 401, without effect", () => {
  test.each(named(keyOperations))("%s", async (id) => {
    const harness = await doomedHarness();
    const request = await prepared(harness, id);
    const { key, deleteIt } = await harness.doomed();
    expect(await harness.engine.keys.authenticate(key)).toBeDefined();
    await deleteIt();
    const before = await harness.everything();
    expectRefused(await read(await send(harness, request, key)), request);
    expect(await harness.everything()).toEqual(before);
    countCases(1);
  });
});

describe("a key that is deleted while the body arrives is answered 401, without effect", () => {
  const withBody = keyOperations.filter(({ body }) => body !== undefined);

  test.each(named(withBody))("%s", async (id) => {
    const harness = await doomedHarness();
    const request = await prepared(harness, id);
    const { key, deleteIt } = await harness.doomed();
    const before = await harness.everything();
    let isDeleted = false;
    const answer = await send(harness, { ...request, body: request.body ?? {} }, key, async () => {
      await deleteIt();
      isDeleted = true;
    });
    expectRefused(await read(answer), request);
    // Only an accepted request has its body read.
    expect(isDeleted).toBe(true);
    await turns();
    expect(await harness.everything()).toEqual(before);
    countCases(1);
  });
});

describe("a key that is deleted while a large answer waits for its place is answered 401, without effect", () => {
  const heavy = keyOperations.filter((operation) => operation.heavy !== undefined);
  /** The queries that make an operation's answer large. */
  const heavyQueries = new Map([
    ["getRun", "?include=timeline"],
    ["listConnections", "&include=uses"],
  ]);

  test.each(named(heavy))("%s", async (id) => {
    const harness = await doomedHarness();
    const request = await prepared(harness, id);
    const data = { lines: Array.from({ length: 6_000 }, () => "x".repeat(100)) };
    const large = await harness.engine.runs.execute({ procedureId: "echo", environment, data, by: owner });
    const { key, deleteIt } = await harness.doomed();
    const held: Response[] = [];
    for (let place = 0; place < heavyOfKey; place++) {
      held.push(await send(harness, { target: `GET /runs/${large.runId}?include=steps` }, key));
    }
    const before = await harness.everything();
    const target = request.target + (heavyQueries.get(id) ?? "");
    let isAnswered = false;
    const answering = send(harness, { ...request, target }, key).finally(() => (isAnswered = true));
    await turns();
    expect(isAnswered).toBe(false);
    await deleteIt();
    expectRefused(await read(await answering), request);
    for (const response of held) await expect(response.text()).rejects.toThrow("deleted");
    expect(await harness.everything()).toEqual(before);
    countCases(1);
  });
});

describe("a key that is deleted during a storage request is answered 401, without effect", () => {
  /** Their work begins with its one write: then the deletion comes later, and the answer is sent. */
  const writesAtOnce = ["cancelRun", "decideReview"];

  test.each(named(keyOperations))("%s", async (id) => {
    const harness = await doomedHarness();
    const request = await prepared(harness, id);
    const { key, deleteElsewhere } = await harness.doomed();
    await turns();
    const before = await harness.everything();
    harness.work.afterFirstRead(deleteElsewhere);
    const answer = await read(await send(harness, request, key));
    if (writesAtOnce.includes(id)) {
      expect(harness.work.first()).toBe("write");
      expect(answer.status).toBe(requests[id]?.ok);
      return;
    }
    // An operation that reads nothing from storage changes nothing either.
    if (harness.work.first() === undefined) {
      expect(answer.status).toBe(200);
      const readNothing = [
        "listIntegrations",
        "getIntegration",
        "previewConnection",
        "previewTrigger",
        "validateProcedure",
      ];
      expect([...readNothing, "followChanges"]).toContain(id);
      return;
    }
    await turns();
    expect(await harness.everything()).toEqual(before);
    expectRefused(answer, request);
    countCases(1);
  });
});
