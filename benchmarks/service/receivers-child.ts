/** Receivers of webhooks in this fresh process: reads a {@link ReceiversOrder} as JSON from its first argument. */
import { createServer } from "node:net";
import process from "node:process";
import { answerParent } from "./child-process.ts";
import { listenToEcho } from "./hono-echo.ts";
import { listenOnFreePort } from "./loopback.ts";

/** The parent's request: each receiver has a separate port, as hosts do. */
export interface ReceiversOrder {
  /** Number of responsive receivers. */
  readonly answering: number;
  /** Number of receivers that accept every request and never answer. */
  readonly hanging: number;
}

/** Their addresses: the first answer to the parent. */
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
