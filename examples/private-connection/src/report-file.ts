import { open, readFile } from "node:fs/promises";

/** A filed report. */
export interface FiledReport {
  readonly reportId: string;
  readonly vendorId: string;
  readonly entryId: string;
  readonly reason: string;
  readonly runId: string | null;
  /** Idempotency key of the call that filed the report, for finding the report later. */
  readonly idempotencyKey: string;
}

/** Reads the reports, oldest first; an empty list before the first report. */
export async function readReports(file: string): Promise<readonly FiledReport[]> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  });
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as FiledReport);
}

/** Adds a report under the next number. Resolves when the report is on disk. For one process at a time. */
export async function addReport(file: string, report: Omit<FiledReport, "reportId">): Promise<FiledReport> {
  const filed = { reportId: `SAR-${(await readReports(file)).length + 1}`, ...report };
  const handle = await open(file, "a");
  try {
    await handle.writeFile(`${JSON.stringify(filed)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return filed;
}
