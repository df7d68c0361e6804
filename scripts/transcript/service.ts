import { execFile, spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { root } from "../workspace.ts";

/** `pnpm start` in a separate process, with an empty data folder that is removed afterwards. */
export interface Service {
  readonly url: string;
  readonly ledgerUrl: string;
  /** Raw keys from the first start, for sandbox and live: first the key for runs, then the key for reviews. */
  readonly keys: readonly string[];
  /** Invites an owner of both environments by the `procedo` command, and returns the token of the link. */
  inviteOwner(email: string): Promise<string>;
  stop(): Promise<void>;
}

export async function startService(): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), "procedo-transcript-"));
  const child = spawn(
    process.execPath,
    ["--conditions=@procedo/source", join(root, "examples/vendor-payment/src/serve.ts")],
    {
      cwd: folder,
      env: {
        ...process.env,
        PORT: "0",
        PROCEDO_DATA_DIR: join(folder, "data"),
        // An identity provider that does not answer: no process listens on this port.
        PROCEDO_OIDC_ISSUER: "http://127.0.0.1:9",
        PROCEDO_OIDC_CLIENT_ID: "procedo",
        PROCEDO_OIDC_CLIENT_SECRET: "a-secret-of-no-provider",
      },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const text = await untilShown(child, "Press Ctrl-C to stop.");
  return {
    url: first(text, /Dashboard API\s+(\S+)\/api\/v1/),
    ledgerUrl: first(text, /Ledger\s+(\S+)/),
    keys: [...text.matchAll(/\s(rsk_(?:sandbox|live)_\S+)$/gm)].map(([, key = ""]) => key),
    inviteOwner: async (email) => {
      const args = ["people", "invite", "--email", email, "--access", "sandbox=owner,live=owner", "--json"];
      const command = ["--conditions=@procedo/source", join(root, "packages/server/src/procedo.ts"), ...args];
      const env = { ...process.env, PROCEDO_DATA_DIR: join(folder, "data") };
      const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: folder, env });
      const { link } = JSON.parse(stdout) as { readonly link: string };
      return link.split("#")[1] ?? "";
    },
    stop: async () => {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function untilShown(child: ChildProcess, last: string): Promise<string> {
  if (child.stdout === null) throw new Error("The service has no output.");
  let text = "";
  for await (const line of createInterface({ input: child.stdout })) {
    text += `${line}\n`;
    if (line.includes(last)) return text;
  }
  throw new Error(`The service ended before it was listening:\n${text}`);
}

function first(text: string, pattern: RegExp): string {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`The output of the service does not match ${String(pattern)}:\n${text}`);
  return found;
}
