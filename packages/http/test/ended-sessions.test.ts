/* A session that ends during its request: the request is answered 401, and writes nothing. */
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { countCases } from "@procedo-testing/tiers";
import { createMemoryStorage } from "@procedo/storage";
import { nodeHandler } from "@procedo/http";
import { describe, expect, onTestFinished, test } from "vitest";
import { operations } from "../src/operations/operations.ts";
import { createHarness, origin, owner, read, type Harness, type SignedInPerson } from "./harness.ts";
import { requests } from "./requests.ts";
import { sessionRequests } from "./session-requests.ts";
import { everythingIn } from "./watched-work.ts";

const access = { sandbox: ["builder", "reviewer", "owner"], live: ["owner"] } as const;
const joined = (harness: Harness) =>
  harness.person({ access: { sandbox: [...access.sandbox], live: [...access.live] } });

const withBody = operations.flatMap((operation) =>
  (operation.access === "key" || operation.access === "session") && operation.body !== undefined ? [operation] : [],
);

async function requestOf(harness: Harness, { id, path }: (typeof withBody)[number], caller: SignedInPerson) {
  const ofSession = sessionRequests[id];
  if (ofSession !== undefined) return await ofSession.prepare(harness, caller);
  const { target = "", body } = (await requests[id]?.prepare(harness, "sandbox", "own")) ?? {};
  const query = path.includes(":environment") ? "" : `${target.includes("?") ? "&" : "?"}environment=sandbox`;
  return { target: `${target}${query}`, body };
}

const ends: readonly (readonly [string, (harness: Harness, caller: SignedInPerson) => Promise<unknown>])[] = [
  ["ends", ({ engine }, { personId, sessionId }) => engine.sessions.end({ personId, sessionId, by: owner })],
  [
    "loses a role",
    ({ engine }, { personId }) => engine.people.update({ personId, access: { sandbox: ["viewer"] }, by: owner }),
  ],
];

describe.each(ends)("a session that %s while the body arrives is answered 401, without effect", (_how, end) => {
  test.each(withBody.map((operation) => [operation.id, operation] as const))("%s", async (_id, operation) => {
    const storage = createMemoryStorage({ now: Date.now });
    const harness = await createHarness({ storage });
    const caller = await joined(harness);
    const { target, body = {} } = await requestOf(harness, operation, caller);
    const [method = "", path = ""] = target.split(/ (.*)/s);
    let ended: Promise<readonly string[]> = Promise.resolve([]);
    const stream = new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          // The request may be answered before the rest of its body.
          ended = end(harness, caller).then(() => everythingIn(storage));
          await ended;
          controller.enqueue(new TextEncoder().encode(JSON.stringify(body)));
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const headers = {
      authorization: `Bearer ${caller.token}`,
      "content-type": "application/json",
      "transfer-encoding": "chunked",
    };
    const request = new Request(`${origin}${path}`, { method, headers, body: stream, duplex: "half" });
    const answer = await read(await harness.http.fetch(request));
    expect(answer, answer.text).toMatchObject({ status: 401, body: { code: "unauthorized" } });
    const before = await ended;
    // Only an accepted request has its body read.
    expect(before.length).toBeGreaterThan(0);
    expect(await everythingIn(storage)).toEqual(before);
    countCases(1);
  });
});

describe("over TCP, on the listener and on an own server,", () => {
  async function mounted({ http }: Harness): Promise<number> {
    const server = createServer(nodeHandler(http));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    return (server.address() as AddressInfo).port;
  }
  const listening = async (harness: Harness): Promise<number> => (await harness.listen()).port;

  async function statusOf(port: number, headers: readonly string[]): Promise<string> {
    const socket = connect(port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    const lines = ["GET /api/v1/session HTTP/1.1", "Host: procedo.test", "Connection: close", ...headers];
    socket.end(`${lines.join("\r\n")}\r\n\r\n`);
    let text = "";
    for await (const chunk of socket) text += String(chunk);
    return text.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length);
  }

  test.each([
    ["listener", listening],
    ["own server", mounted],
  ])("a cookie is read from one header or several, and one that is sent twice is a 400: %s", async (_where, serve) => {
    const harness = await createHarness();
    const { token } = await joined(harness);
    const port = await serve(harness);
    const cookie = `procedo=${token}`;
    expect(await statusOf(port, [`Cookie: ${cookie}`])).toBe("200");
    expect(await statusOf(port, ["Cookie: theme=dark", `Cookie: ${cookie}`])).toBe("200");
    expect(await statusOf(port, [`Cookie: ${cookie}`, `Cookie: ${cookie}`])).toBe("400");
    expect(await statusOf(port, [`Cookie: ${cookie}; ${cookie}`])).toBe("400");
    expect(await statusOf(port, [`Cookie: ${cookie}`, `Authorization: Bearer ${token}`])).toBe("400");
    expect(await statusOf(port, ["Cookie: procedo=ses_wrong"])).toBe("401");
  });
});
