/** Receivers of webhooks in this fresh process: takes a {@link ReceiversOrder} as JSON in its first argument. */
import { createServer } from "node:net";
import process from "node:process";
import { answerParent } from "./asked-child.ts";
import { listenToEcho } from "./hono-echo.ts";
import { listenOnFreePort } from "./loopback.ts";

/** What the parent asks for: each receiver has a port of its own, as hosts have. */
export interface ReceiversOrder {
  /** How many answer. */
  readonly answering: number;
  /** How many take every request and never answer. */
  readonly hanging: number;
}

/** Where they listen: the first answer to the parent. */
export interface ReceiverPorts {
  readonly answering: readonly number[];
  readonly hanging: readonly number[];
}

const order = JSON.parse(process.argv[2] ?? "null") as ReceiversOrder;
const echoes = await Promise.all(Array.from({ length: order.answering }, listenToEcho));
const hanging = await Promise.all(
  Array.from({ length: order.hanging }, () =>
    listenOnFreePort(createServer((socket) => void socket.on("error", () => {}).resume())),
  ),
);
const ports: ReceiverPorts = { answering: echoes.map(({ port }) => port), hanging };
answerParent(ports, {}, async () => {});
