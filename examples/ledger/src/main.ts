import { parseArgs } from "node:util";
import { startLedger } from "./server.ts";

/** Runs a ledger as a process. Prints one line of JSON once it listens; shuts down cleanly on SIGTERM and SIGINT. */
const { values } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    host: { type: "string", default: "127.0.0.1" },
    "data-dir": { type: "string" },
    token: { type: "string" },
    "end-with-input": { type: "boolean", default: false },
  },
});

const port = Number(values.port);
if (!Number.isInteger(port) || port < 0 || port > 65_535)
  throw new Error(`--port is "${values.port}". Give a number from 0 to 65535.`);

const ledger = await startLedger({
  port,
  host: values.host,
  ...(values["data-dir"] !== undefined && { dataDir: values["data-dir"] }),
  ...(values.token !== undefined && { token: values.token }),
  die: () => process.kill(process.pid, "SIGKILL"),
});

for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void ledger.close());
// The pipe closes when the parent process ends, even after a kill.
if (values["end-with-input"]) process.stdin.once("end", () => void ledger.close()).resume();
console.log(JSON.stringify({ url: ledger.url, port: ledger.port, pid: process.pid }));
