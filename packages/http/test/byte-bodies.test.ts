import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { nodeHandler, serveNode, type HttpAnswer } from "@procedo/http";
import { describe, expect, onTestFinished, test } from "vitest";
import { fetchHandler } from "../src/web/fetch-handler.ts";

const bytes = new Uint8Array([0x00, 0xff, 0xc3, 0x28, 0x80, 0x0a]);
const bodies: readonly (readonly [string, HttpAnswer["body"], Uint8Array])[] = [
  ["bytes that are no text", bytes, bytes],
  ["a part of a larger buffer", new Uint8Array(new Uint8Array([9, ...bytes, 9]).buffer, 1, bytes.length), bytes],
  ["text of characters of several bytes", "Größe 𝔘", new TextEncoder().encode("Größe 𝔘")],
  ["no bytes", new Uint8Array(0), new Uint8Array(0)],
  ["no text", "", new Uint8Array(0)],
];

async function listening(body: HttpAnswer["body"]): Promise<string> {
  const answer = async (): Promise<HttpAnswer> => ({ status: 200, headers: ["Content-Type", "image/png"], body });
  const { port, close } = await serveNode({ answer }, { port: 0 });
  onTestFinished(() => close({ drainMs: 0 }));
  return `http://127.0.0.1:${port}`;
}

async function mounted(body: HttpAnswer["body"]): Promise<string> {
  const answer = async (): Promise<HttpAnswer> => ({ status: 200, headers: ["Content-Type", "image/png"], body });
  const server = createServer(nodeHandler({ answer, serves: () => true }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.each(bodies)("a body of %s arrives unchanged, with its length in bytes", (_what, body, expected) => {
  test.each([
    ["from the listener", async (method: string) => await fetch(await listening(body), { method })],
    ["from a handler on an own server", async (method: string) => await fetch(await mounted(body), { method })],
    [
      "from the web handler",
      async (method: string) => {
        const handle = fetchHandler(async () => ({ status: 200, headers: ["Content-Type", "image/png"], body }));
        return await handle(new Request("http://procedo.test/", { method }));
      },
    ],
  ])("%s", async (_from, ask) => {
    const response = await ask("GET");
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(expected);
    expect(response.headers.get("content-length")).toBe(String(expected.length));
    expect(response.headers.get("content-type")).toBe("image/png");
    const head = await ask("HEAD");
    expect(head.headers.get("content-length")).toBe(String(expected.length));
    expect(await head.text()).toBe("");
  });
});
