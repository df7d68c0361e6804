import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export interface SpawnLedgerOptions {
  readonly dataDir: string;
  /** @defaultValue 0, for a free port */
  readonly port?: number;
  readonly token?: string;
  /**
   * Whether the ledger ends with this process, even after a kill, and ignores Ctrl-C in the shared terminal, because
   * this process may still need the ledger during its own shutdown. @defaultValue false
   */
  readonly endWithParent?: boolean;
}

/** A ledger in a separate process, which can be killed. */
export interface LedgerProcess {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Resolves with the signal that ended the process, or null after a normal exit. */
  readonly exited: Promise<NodeJS.Signals | null>;
  /** Sends SIGKILL and waits for the end. */
  kill(): Promise<void>;
}

/** Starts `main.ts` and resolves when it listens. Its standard error is forwarded to that of this process. */
export async function spawnLedger(options: SpawnLedgerOptions): Promise<LedgerProcess> {
  const { dataDir, port = 0, token, endWithParent = false } = options;
  const main = fileURLToPath(new URL("./main.ts", import.meta.url));
  // Uses "=", because a token may begin with a dash.
  const args = [
    main,
    `--data-dir=${dataDir}`,
    `--port=${port}`,
    ...(token === undefined ? [] : [`--token=${token}`]),
    ...(endWithParent ? ["--end-with-input"] : []),
  ];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"], detached: endWithParent });
  if (!endWithParent) child.stdin.end();
  const exited = once(child, "exit").then(([, signal]) => signal as NodeJS.Signals | null);
  const ready = once(createInterface(child.stdout), "line").then(([line]) => String(line));
  const first = await Promise.race([ready, exited.then(() => undefined)]);
  if (first === undefined)
    throw new Error(`The ledger on "${dataDir}" ended before it was ready. See its standard error for the reason.`);
  const started = JSON.parse(first) as { url: string; port: number; pid: number };
  return {
    ...started,
    exited,
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
