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
