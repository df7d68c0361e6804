import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** A `procedo-connect` process, as started in the customer's network. */
export interface ClientProcess {
  /** The complete output of the process. */
  output(): string;
  /** Resolves when the client has connected; rejects when the process ends earlier. */
  readonly connected: Promise<void>;
  /** Resolves with the signal that ended the process, or the exit code. */
  readonly exited: Promise<NodeJS.Signals | number | null>;
  /** Lets the client finish its current calls, and waits for its end. */
  close(): Promise<void>;
}

// Runs from source. With the package installed, use "npx procedo-connect".
const command = new URL("./src/procedo-connect.ts", import.meta.resolve("@procedo/private-connection/package.json"));

/** Starts the client on a module of functions. */
export function startClient(given: {
  readonly module: "functions.ts" | "functions-that-die.ts";
  readonly token: string;
  readonly sdkUrl: string;
  /** The working folder of the client, where reports are filed. */
  readonly cwd: string;
}): ClientProcess {
  const { module, token, sdkUrl, cwd } = given;
  const functions = fileURLToPath(new URL(module, import.meta.url));
  const args = ["--conditions=@procedo/source", fileURLToPath(command), functions];
  const env = { PATH: process.env["PATH"], NO_PROXY: "*", PROCEDO_CONNECTION_TOKEN: token, PROCEDO_SDK_URL: sdkUrl };
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const exited = once(child, "close").then(([code, signal]) => (signal ?? code) as NodeJS.Signals | number | null);
  let text = "";
  const connected = new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
        if (text.includes("Connected.")) resolve();
      });
    }
    void exited.then((end) => reject(new Error(`The client ended with ${String(end)}. Its output:\n${text}`)));
  });
  // Callers that do not wait for `connected` observe `exited`.
  connected.catch(() => undefined);
  return {
    output: () => text,
    connected,
    exited,
    close: async () => {
      child.kill("SIGTERM");
      await exited;
    },
  };
}
