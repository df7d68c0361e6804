import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { startClient, type ClientProcess } from "./client-process.ts";
import { readReports, type FiledReport } from "./report-file.ts";

/** The customer's network: the client process and the reports in its folder. It has no listening port. */
export interface ComplianceOffice {
  /** Replaces the client with one that dies after filing a report. */
  dieAfterNextReport(): Promise<void>;
  /** Waits for the client to die, then starts it again. */
  restartAfterDeath(): Promise<void>;
  reports(): Promise<readonly FiledReport[]>;
  /** The output of all clients, in order of their start. */
  output(): string;
  close(): Promise<void>;
}

/** Opens the office. Resolves when its client has connected. */
export async function openComplianceOffice(given: {
  readonly folder: string;
  readonly token: string;
  readonly sdkUrl: string;
}): Promise<ComplianceOffice> {
  const { folder: cwd, token, sdkUrl } = given;
  await mkdir(cwd, { recursive: true });
  const clients: ClientProcess[] = [];
  const start = async (module: "functions.ts" | "functions-that-die.ts"): Promise<ClientProcess> => {
    const client = startClient({ module, token, sdkUrl, cwd });
    clients.push(client);
    await client.connected;
    return client;
  };
  let current = await start("functions.ts");

  return {
    dieAfterNextReport: async () => {
      await current.close();
      current = await start("functions-that-die.ts");
    },
    restartAfterDeath: async () => {
      const end = await current.exited;
      if (end !== "SIGKILL") throw new Error(`The client ended with ${String(end)}; SIGKILL was expected.`);
      current = await start("functions.ts");
    },
    reports: () => readReports(join(cwd, "reports.jsonl")),
    output: () => clients.map((client) => client.output()).join(""),
    close: () => current.close(),
  };
}
