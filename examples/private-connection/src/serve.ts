/**
 * Serves the functions from your own program. Like `procedo-connect`, it reads token and address from the environment.
 */
import process from "node:process";
import { createPrivateConnection } from "@procedo/private-connection";
import { fileReport, screenVendor } from "./functions.ts";

const connection = createPrivateConnection({ functions: [screenVendor, fileReport] });
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void connection.close());
connection.on("invocation", (event) => console.log(event.phase, event.function));
// Resolves after close(); rejects when the token is refused.
await connection.start();
