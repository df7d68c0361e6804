import { open, readFile } from "node:fs/promises";

/** A report as it was filed. */
export interface FiledReport {
  readonly reportId: string;
  readonly vendorId: string;
  readonly entryId: string;
  readonly reason: string;
  readonly runId: string | null;
  /** Of the call that filed it, by which a person finds it. */
  readonly idempotencyKey: string;
}

/** The reports, oldest first; none before the first was filed. */
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

/** Adds a report under the next number; it is on the disk when this resolves. One process at a time. */
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
