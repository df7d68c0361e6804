import { createServer } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { openConnection, readAnswer } from "./http-connection.ts";
import { closeServer, listenOnFreePort } from "./loopback.ts";

test("a response is read when its body is complete", () => {
  const head = "HTTP/1.1 202 Accepted\r\nContent-Type: application/json\r\ncontent-length: 5\r\n\r\n";
  expect(readAnswer("HTTP/1.1 202 Acc")).toBeUndefined();
  expect(readAnswer(`${head}[1,2`)).toBeUndefined();
  expect(readAnswer(`${head}[1,2]`)).toEqual({ status: 202, body: "[1,2]" });
  expect(readAnswer(`${head}[1,2]HTTP/1.1`)).toBeInstanceOf(Error);
  expect(readAnswer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")).toBeInstanceOf(Error);
});

test("one connection carries one request after another", async () => {
  const server = createServer((request, response) => {
    request.setEncoding("utf8").on("data", (text: string) => {
      const body = `${request.socket.remotePort ?? 0} ${text}`;
      response.writeHead(201, { "content-length": body.length }).end(body);
    });
  });
  const port = await listenOnFreePort(server);
  onTestFinished(() => closeServer(server));
  const connection = await openConnection(port);
  onTestFinished(() => connection.close());
  const head = "POST / HTTP/1.1\r\nHost: a\r\n";
  const first = await connection.send(`${head}Content-Length: 3\r\n\r\none`);
  const second = await connection.send(`${head}Content-Length: 3\r\n\r\ntwo`);
  expect(first).toEqual({ status: 201, body: expect.stringMatching(/^\d+ one$/) as string });
  expect(second.body).toBe(first.body.replace("one", "two"));
});

test("a server that closes the connection fails the request", async () => {
  const server = createTcpServer((socket) => void socket.once("data", () => socket.end()));
  const port = await listenOnFreePort(server);
  onTestFinished(() => void server.close());
  const connection = await openConnection(port);
  await expect(connection.send("GET / HTTP/1.1\r\n\r\n")).rejects.toThrow("closed the connection");
});
