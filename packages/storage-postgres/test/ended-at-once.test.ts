import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { PostgresStorage } from "../src/index.ts";

/** A message of the protocol: its letter, its length, its body. */
function message(letter: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(letter);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const isAuthenticated = message("R", Buffer.alloc(4));
const isReady = message("Z", Buffer.from("I"));
const isEnded = message("E", Buffer.from("SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0"));

test("a server that ends a connection in its first packet is reported as unusable, and ends no process", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(Buffer.concat([isAuthenticated, isReady, isEnded])));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  try {
    // An error without a listener would fail this run of the tests.
    await expect(PostgresStorage.connect(`postgres://a:b@127.0.0.1:${port}/c`)).rejects.toMatchObject({
      code: "storage_unavailable",
    });
  } finally {
    server.close();
  }
});
