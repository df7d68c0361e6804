import type { Worker } from "node:worker_threads";
import type { JsonObject } from "@procedo/contract";
import { createRedactor } from "@procedo/engine";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { customApi } from "../../src/custom-api/custom-api.ts";
import { createDocumentReader } from "../../src/custom-api/document-reader.ts";
import { operationActions } from "../../src/custom-api/operation-action.ts";
import { packApi, unpackApi } from "../../src/custom-api/packed-operations.ts";
import { readOperations } from "../../src/custom-api/read-operations.ts";
import { importDocument } from "../../src/openapi/import-document.ts";
import { laidOver, ledgerSettings, noFetch, ready } from "./documents.ts";

/** 300 operations with shared schemas, about 200 kB. */
const text = largeDocument(300);
const settings = { authentication: { method: "none" } } as const;

/** Threads that were started. */
let workers: Worker[] = [];
const started = (worker: Worker): void => void workers.push(worker);

beforeEach(() => {
  workers = [];
  process.on("worker", started);
});
afterEach(() => {
  process.off("worker", started);
  vi.restoreAllMocks();
});

/** The longest text that the calling thread parsed as JSON during the call. */
async function longestParsedHere(work: () => Promise<unknown>): Promise<number> {
  const parse = vi.spyOn(JSON, "parse");
  await work();
  return Math.max(0, ...parse.mock.calls.map(([parsed]) => parsed.length));
}

describe("a large document", () => {
  test("is read by another thread when it is prepared, first used, compared and tested", async () => {
    const prepared = await ready({ settings: { spec: { text } } });
    const { connection } = prepared;
    const spec = { text: text.replaceAll("resource_7/", "renamed_7/") };
    const { signal } = new AbortController();
    const context = { secrets: {}, redactor: createRedactor([]), fetch: noFetch, signal };
    const works = [
      () => ready({ settings: { spec: { text } } }),
      () => customApi().actions(connection),
      () => ready(laidOver(connection, { spec })),
      () => customApi().test(connection, context),
    ];
    for (const work of works) {
      workers = [];
      expect(await longestParsedHere(() => work().catch(() => undefined))).toBeLessThan(20_000);
      expect(workers).toHaveLength(1);
    }
  });

  test("gives the same operations as on the calling thread, and keeps definitions shared", async () => {
    const read = readOperations({ text, settings });
    const imported = importDocument(text);
    if (!read.ok || !imported.ok) throw new Error("The document was refused.");
    const packed = packApi(read.api);
    const { operations, ...api } = await unpackApi(packed);
    const plain = (list: typeof operations): unknown => list.map((one) => ({ ...one }));
    expect(plain(operations)).toEqual(plain(imported.api.operations));
    expect(api).toEqual({ ...imported.api, operations: undefined });
    const defined = operations.map(({ input }) => (input["$defs"] as JsonObject | undefined)?.["Money"]);
    expect(new Set(defined.filter((one) => one !== undefined)).size).toBe(1);
    expect(packed.bytes.length).toBeLessThan(3 * text.length);
  });

  test("yields to the event loop between slices of its operations", async () => {
    const read = readOperations({ text: largeDocument(5_000), settings });
    if (!read.ok) throw new Error("The document was refused.");
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      if (isOver) return;
      turns += 1;
      setImmediate(turn);
    };
    setImmediate(turn);
    const { operations } = await unpackApi(packApi(read.api));
    const actions = await operationActions(operations, {});
    isOver = true;
    expect([...actions.keys()]).toEqual(read.api.operations.map(({ name }) => name));
    expect(turns).toBeGreaterThanOrEqual(4);
  });

  test("is compared with the previous one, whose actions keep their revisions", async () => {
    const before = await ready({ settings: { spec: { text } } });
    const spec = { text: text.replaceAll('"createResource7"', '"makeResource7"') };
    const after = await ready(laidOver(before.connection, { spec }));
    expect(before.changes).toBeUndefined();
    expect(after.changes).toEqual({
      ...{ added: [], changed: [], deprecated: [], removed: [] },
      renamed: [{ from: "createResource7", to: "makeResource7" }],
    });
    const read = await customApi().actions(before.connection);
    expect(read.get("listResource3")?.revision).toBe(after.actions.get("listResource3")?.revision);
  });

  test("that is refused reports places and reasons like a small one", async () => {
    const broken = `${text.slice(0, -1)},`;
    const read = await createDocumentReader()({ text: broken, settings });
    expect(workers).toHaveLength(1);
    expect(read).toEqual(importDocument(broken));
  });

  test("leaves no thread behind", async () => {
    await ready({ settings: { spec: { text } } });
    expect(workers.map(({ threadId }) => threadId)).toEqual([-1]);
  });

  test("that takes too long is aborted, and its thread is terminated", async () => {
    let giveUp = (): void => {};
    const read = createDocumentReader({ after: (_delayMs, callback) => ((giveUp = callback), () => {}) });
    const reading = read({ text, settings });
    giveUp();
    await expect(reading).rejects.toMatchObject({ code: "overloaded", retryable: true });
    expect(workers.map(({ threadId }) => threadId)).toEqual([-1]);
  });

  test("that needs too much memory is refused, and the process survives", async () => {
    const read = createDocumentReader({ maxHeapMb: 16 });
    await expect(read({ text: largeDocument(6_000), settings })).rejects.toMatchObject({ code: "invalid_document" });
  });
});

test("a small document is read without a thread", async () => {
  const { connection } = await ready({ settings: ledgerSettings() });
  await customApi().actions(connection);
  expect(workers).toEqual([]);
});

function largeDocument(operations: number): string {
  const resources = Math.ceil(operations / 2);
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const answer = (schema: JsonObject) => ({
    "200": { description: "Done", content: { "application/json": { schema } } },
  });
  const schemas: Record<string, JsonObject> = {
    Money: { type: "object", required: ["amount"], properties: { amount: { type: "integer", minimum: 0 } } },
  };
  const paths: Record<string, JsonObject> = {};
  for (let index = 0; index < resources; index++) {
    const name = `Resource${index}`;
    schemas[name] = {
      type: "object",
      required: ["total"],
      description: `The ${name}, described at the usual length: about as much as a vendor's document says of such a thing.`,
      properties: { total: ref("Money"), name: { type: "string", maxLength: 200 }, note: { type: "string" } },
    };
    const body = { required: true, content: { "application/json": { schema: ref(name) } } };
    paths[`/resource_${index}/all`] = {
      get: { operationId: `list${name}`, summary: `Lists every ${name}.`, responses: answer(ref(name)) },
      post: { operationId: `create${name}`, requestBody: body, responses: answer(ref(name)) },
    };
  }
  const info = { title: "Large", version: "1" };
  return JSON.stringify({
    openapi: "3.0.3",
    info,
    servers: [{ url: "https://ledger.test" }],
    paths,
    components: { schemas },
  });
}
