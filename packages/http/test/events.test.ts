/* The stream of changes, over TCP as a browser reads it. */
import { once } from "node:events";
import { connect } from "node:net";
import { manualClock } from "@procedo-testing/faults";
import { systemClock, type LiveEvent } from "@procedo/engine";
import { serveNode, type HttpAnswer } from "@procedo/http";
import { describe, expect, onTestFinished, test } from "vitest";
import { EventStream } from "../src/live/event-stream.ts";
import { streamsOfKey } from "../src/access/wait-limiter.ts";
import { createHarness, owner, textOf, until, type Harness, type HarnessOptions, type Listening } from "./harness.ts";

interface Event {
  readonly id: string;
  readonly kind: string;
  readonly subject: string | undefined;
}

/** Reads the stream as a browser does: remembers each id, and collects the events that have data. */
class Reader {
  readonly events: Event[] = [];
  lastEventId = "";
  isEnded = false;
  readonly response: Response;
  readonly #abort: AbortController;
  #text = "";

  private constructor(response: Response, abort: AbortController) {
    this.response = response;
    this.#abort = abort;
  }

  static async open(url: string, headers: Readonly<Record<string, string>>): Promise<Reader> {
    const abort = new AbortController();
    const response = await fetch(url, { headers, signal: abort.signal });
    const reader = new Reader(response, abort);
    onTestFinished(() => abort.abort());
    void reader.#read();
    if (response.status === 200) await until(async () => reader.lastEventId !== "" || reader.isEnded);
    return reader;
  }

  leave(): void {
    this.#abort.abort();
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of this.response.body ?? []) {
        const blocks = (this.#text + decoder.decode(chunk, { stream: true })).split("\n\n");
        this.#text = blocks.pop() ?? "";
        for (const block of blocks) this.#take(block);
      }
    } catch {
      // The connection was closed.
    }
    this.isEnded = true;
  }

  #take(block: string): void {
    const id = /^id: (.+)$/m.exec(block)?.[1];
    if (id !== undefined) this.lastEventId = id;
    const data = /^data: (.+)$/m.exec(block)?.[1];
    if (data === undefined) return;
    expect(block).toMatch(/^event: changed$/m);
    const { kind, id: subject } = JSON.parse(data) as { readonly kind: string; readonly id?: string };
    this.events.push({ id: this.lastEventId, kind, subject });
  }
}

async function listening(options: HarnessOptions = {}) {
  const harness = await createHarness(options);
  const listener = await harness.listen({ ...(options.clock !== undefined && { clock: options.clock }) });
  return { harness, listener };
}

const path = "/api/v1/events";
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const start = async ({ engine }: Harness, environment: "sandbox" | "live" = "sandbox") =>
  (await engine.runs.execute({ procedureId: "ask", environment, data: { amount: 1 }, by: owner })).runId;
const follow = ({ url }: Listening, key: string, query = "", headers = {}) =>
  Reader.open(`${url}${path}${query}`, { ...bearer(key), ...headers });
const subjects = ({ events }: Reader, kind: string) =>
  events.flatMap((one) => (one.kind === kind ? [one.subject] : []));

describe("the stream", () => {
  test("names a run and its review once they change, in its own environment only", async () => {
    const { harness, listener } = await listening();
    const [sandbox, live] = [
      await follow(listener, await harness.key([])),
      await follow(listener, await harness.key([], "live")),
    ];
    expect(sandbox.response.headers.get("content-type")).toBe("text/event-stream");
    expect(sandbox.response.headers.get("cache-control")).toBe("no-store");
    const [first, other] = [await start(harness), await start(harness, "live")];
    const { reviewId } = (await harness.engine.reviews.ofRun({ environment: "sandbox", runId: first }))[0] ?? {};
    await until(async () => subjects(sandbox, "review").includes(reviewId));
    await until(async () => subjects(live, "run").includes(other));
    expect(new Set(subjects(sandbox, "run"))).toEqual(new Set([first]));
    expect(new Set(subjects(live, "run"))).toEqual(new Set([other]));
  });

  test("names a delivery whose attempt has ended, in its own environment only", async () => {
    const { harness, listener } = await listening();
    const [sandbox, live] = [
      await follow(listener, await harness.key([])),
      await follow(listener, await harness.key([], "live")),
    ];
    const events = ["human_review_requested"] as const;
    const webhook = { url: "http://127.0.0.77:8099", events, environment: "sandbox", by: owner } as const;
    const { webhookId } = await harness.engine.webhooks.create(webhook);
    await start(harness);
    await until(async () => subjects(sandbox, "delivery").length > 0);
    const { items } = await harness.engine.webhooks.deliveries({ environment: "sandbox", webhookId, limit: 10 });
    expect(subjects(sandbox, "delivery")[0]).toBe(items[0]?.deliveryId);
    await start(harness, "live");
    await until(async () => subjects(live, "run").length > 0);
    expect(subjects(live, "delivery")).toEqual([]);
  });

  test("names the kind of a record that changes, in its environment, or both for one of the workspace", async () => {
    const { harness, listener } = await listening();
    const sandbox = await follow(listener, await harness.key([]));
    const live = await follow(listener, await harness.key([], "live"));
    const webhook = { url: "http://127.0.0.77:8099", events: ["run_failed"] as const, by: owner };
    await harness.engine.webhooks.create({ ...webhook, events: ["run_failed"], environment: "live" });
    await harness.engine.procedures.saveDraft({ procedureId: "d", document: { name: "d" }, revision: 0, by: owner });
    await until(async () => subjects(sandbox, "procedure").length > 0 && subjects(live, "procedure").length > 0);
    await until(async () => subjects(live, "webhook").length > 0);
    expect(subjects(sandbox, "webhook")).toEqual([]);
  });

  test("of a person names its environment, and needs access to it", async () => {
    const { harness, listener } = await listening();
    const { token } = await harness.person({ access: { live: ["viewer"] } });
    expect((await follow(listener, token, "?environment=live")).response.status).toBe(200);
    expect((await follow(listener, token, "?environment=sandbox")).response.status).toBe(403);
    expect((await follow(listener, token)).response.status).toBe(400);
  });

  test("goes on after the last event: by the header of a browser, which precedes the query", async () => {
    const { harness, listener } = await listening();
    const key = await harness.key([]);
    const first = await follow(listener, key);
    const began = first.lastEventId;
    const runs = [await start(harness)];
    await until(async () => subjects(first, "run").includes(runs[0]));
    first.leave();
    runs.push(await start(harness));
    await harness.settled(runs[1] ?? "");
    const second = await follow(listener, key, "", { "last-event-id": first.lastEventId });
    await until(async () => subjects(second, "run").includes(runs[1]));
    expect(second.events.some(({ kind }) => kind === "resync")).toBe(false);
    const third = await follow(listener, key, `?after=${began}`);
    await until(async () => runs.every((run) => subjects(third, "run").includes(run)));
    const fourth = await follow(listener, key, "?after=other-1", { "last-event-id": began });
    expect(fourth.events.some(({ kind }) => kind === "resync")).toBe(false);
  });

  test("at a place of another process begins with resync", async () => {
    const { harness, listener } = await listening();
    const reader = await follow(listener, await harness.key([]), "?after=another-17");
    expect(reader.events.map(({ kind }) => kind)).toEqual(["resync"]);
  });

  test("at a place that no event has is refused with the reason", async () => {
    const { harness } = await listening();
    const { status, body } = await harness.ask(`GET ${path}?after=../..`, { key: await harness.key([]) });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { details: [{ message: "must be the id of an event" }] },
    });
  });

  test("repeats as many events at once as it may, and the reader stays connected", async () => {
    const { harness, listener } = await listening();
    const missed = Array.from({ length: 1_000 }, (_, n): LiveEvent => {
      return { eventId: `${"m".repeat(18)}-${n}`, hint: { kind: "delivery", id: `dlv_${"x".repeat(32)}` } };
    });
    const latest = () => missed.at(-1)?.eventId ?? "";
    Object.assign(harness.engine.live, { follow: () => ({ missed, latest, stop: () => {} }) });
    const reader = await follow(listener, await harness.key([]));
    await until(async () => reader.events.length === missed.length || reader.isEnded);
    expect(reader.events.at(-1)?.id).toBe(latest());
    expect(reader.isEnded).toBe(false);
  });

  test("HEAD has no body, and takes no place", async () => {
    const { harness, listener } = await listening();
    const headers = bearer(await harness.key([]));
    for (let time = 0; time <= streamsOfKey; time++) {
      const response = await fetch(`${listener.url}${path}`, { method: "HEAD", headers });
      expect([response.status, await response.text()]).toEqual([200, ""]);
    }
  });
});

describe("the stream ends", () => {
  test("when its key is deleted, in its own process at once", async () => {
    const { harness, listener } = await listening();
    const made = { name: "doomed", environment: "sandbox", by: owner } as const;
    const { key, keyId } = await harness.engine.keys.create(made);
    const reader = await follow(listener, key);
    await harness.engine.keys.remove({ keyId, by: owner });
    await until(async () => reader.isEnded);
    expect((await follow(listener, key)).response.status).toBe(401);
  });

  test.each([
    ["the session ends", (harness: Harness, key: string) => harness.ask("DELETE /api/v1/session", { key })],
    [
      "the person is deactivated",
      async ({ engine, ask }: Harness, key: string) => {
        const { body } = await ask("GET /api/v1/session", { key });
        const { id } = body["person"] as { readonly id: string };
        return await engine.people.deactivate({ personId: id, by: owner });
      },
    ],
    [
      "the person loses a role",
      async ({ engine, ask }: Harness, key: string) => {
        const { body } = await ask("GET /api/v1/session", { key });
        const { id } = body["person"] as { readonly id: string };
        return await engine.people.update({ personId: id, access: { sandbox: ["viewer"] }, by: owner });
      },
    ],
  ])("when %s", async (_when, end) => {
    const { harness, listener } = await listening();
    const { token } = await harness.person({ access: { sandbox: ["viewer", "reviewer"] } });
    const reader = await follow(listener, token, "?environment=sandbox");
    await end(harness, token);
    await until(async () => reader.isEnded);
  });

  test("when the service begins to close, which does not wait for it", async () => {
    const { harness, listener } = await listening();
    const reader = await follow(listener, await harness.key([]));
    await listener.close(60_000);
    await until(async () => reader.isEnded);
  });
});

test(`a caller has at most ${streamsOfKey} streams; all sessions of a person count together`, async () => {
  const { harness, listener } = await listening();
  const ana = await harness.person({ access: { sandbox: ["viewer"] } });
  const tokens = [ana.token, await ana.signInAgain()];
  const readers: Reader[] = [];
  for (let n = 0; n < streamsOfKey; n++) {
    readers.push(await follow(listener, tokens[n % 2] ?? "", "?environment=sandbox"));
  }
  expect(readers.map(({ response }) => response.status)).toEqual(readers.map(() => 200));
  const refused = await follow(listener, ana.token, "?environment=sandbox");
  expect([refused.response.status, refused.response.headers.get("retry-after")]).toEqual([429, "1"]);
  const ben = await harness.person({ access: { sandbox: ["viewer"] } });
  expect((await follow(listener, ben.token, "?environment=sandbox")).response.status).toBe(200);
  readers[0]?.leave();
  await until(async () => {
    const again = await follow(listener, ana.token, "?environment=sandbox");
    return again.response.status === 200;
  });
});

test("a caller that reads nothing is disconnected, and others get every event in the meantime", async () => {
  const streams: { readonly stream: EventStream; write(text: string): void }[] = [];
  const answer = async (): Promise<HttpAnswer> => {
    let write = (_text: string): void => {};
    const source = { first: "id: 0\n\n", heartbeat: () => ":\n\n", stop: () => {} };
    const opened = (writing: typeof write) => {
      write = writing;
      return source;
    };
    const stream = new EventStream(systemClock, opened, new AbortController().signal);
    streams.push({ stream, write });
    return { status: 200, headers: [], body: stream, cut: stream.cut, isEndless: true };
  };
  const { port, close } = await serveNode({ answer }, { port: 0 });
  onTestFinished(() => close({ drainMs: 0 }));
  const silent = connect(port, "127.0.0.1").on("error", () => {});
  onTestFinished(() => void silent.destroy());
  silent.pause().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  await until(async () => streams.length === 1);
  const reader = await Reader.open(`http://127.0.0.1:${port}/`, {});
  const [slow, quick] = streams;
  let sent = 0;
  while (slow?.stream.cut.aborted === false) {
    sent += 1;
    const text = `id: ${sent}\nevent: changed\ndata: {"kind":"run","id":"${"x".repeat(8_000)}"}\n\n`;
    slow.write(text);
    quick?.write(text);
    await until(async () => reader.events.length === sent);
  }
  expect(sent).toBeGreaterThan(32);
  await once(silent.resume(), "close");
  quick?.write(`id: ${sent + 1}\nevent: changed\ndata: {"kind":"run"}\n\n`);
  await until(async () => reader.events.length === sent + 1);
  expect(reader.isEnded).toBe(false);
});

test("an open stream is kept for longer than other answers, with a heartbeat every 15 s, and ends after an hour", async () => {
  const clock = manualClock();
  const harness = await createHarness({ clock });
  const { body } = await harness.http.fetch(
    new Request(`http://procedo.test${path}`, { headers: bearer(await harness.key([])) }),
  );
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  const read = async () => (await reader?.read()) ?? { done: true, value: undefined };
  expect(textOf((await read()).value)).toMatch(/^retry: 2000\n\nid: \w+-\d+\n\n$/);
  let beats = 0;
  for (;;) {
    const next = read();
    await clock.advance(15_000);
    const { done, value } = await next;
    if (done === true) break;
    expect(value).toMatch(/^:\nid: \w+-\d+\n\n$/);
    beats += 1;
  }
  expect(beats).toBe(4 * 60 - 1);
});
