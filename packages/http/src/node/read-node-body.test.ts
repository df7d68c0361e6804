import { once } from "node:events";
import { PassThrough } from "node:stream";
import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { readNodeBody } from "./read-node-body.ts";

test("copies the parts of a body as they arrive, and keeps none of their buffers", async () => {
  const request = Object.assign(new PassThrough(), { headers: { "transfer-encoding": "chunked" } });
  let reported = 0;
  const reading = readNodeBody(request as unknown as IncomingMessage, 10_000, {
    before: () => {},
    coming: (bytes) => (reported = bytes),
    signal: undefined,
  });
  const text = "0123456789".repeat(500);
  request.emit("data", Buffer.from(text[0] ?? ""));
  // All parts share one buffer, so that only copied bytes survive.
  const part = Buffer.alloc(1);
  for (const letter of text.slice(1)) {
    part.write(letter);
    request.emit("data", part);
  }
  request.emit("end");
  const read = await reading;
  expect(read.kind === "whole" && Buffer.from(read.bytes).toString()).toBe(text);
  expect(reported).toBe(text.length);
});

const ports = { before: () => {}, coming: () => {}, signal: undefined };
const requestOf = (headers: Record<string, string>) => Object.assign(new PassThrough(), { headers });

test("refuses a body that was read already, and says what to change", async () => {
  const request = requestOf({ "content-length": "2" });
  request.end("{}");
  for await (const _part of request);
  const reading = readNodeBody(request as unknown as IncomingMessage, 10_000, ports);
  await expect(reading).rejects.toThrow(/mount its handler before any body parser/);
});

test("has no body to read where none was announced, also after its end", async () => {
  const request = requestOf({ "content-length": "0" });
  request.end();
  for await (const _part of request);
  const read = await readNodeBody(request as unknown as IncomingMessage, 10_000, ports);
  expect(read).toEqual({ kind: "whole", bytes: Buffer.alloc(0) });
});

test("is cut for a caller that had disconnected before", async () => {
  const request = requestOf({ "content-length": "2" });
  request.destroy();
  await once(request, "close");
  expect(await readNodeBody(request as unknown as IncomingMessage, 10_000, ports)).toEqual({ kind: "cut" });
});
