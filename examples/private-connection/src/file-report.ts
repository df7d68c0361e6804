import { defineFunction } from "@procedo/private-connection";
import * as z from "zod";
import { addReport } from "./report-file.ts";

/** The filing of a report, which a person approves. Filing twice is two reports, so a call is never made again on a guess. */
export function fileReportIn(reports: {
  readonly file: string;
  /** Called when the report is filed, and nobody knows of it yet. */
  readonly onFiled?: () => void;
}) {
  let before: Promise<unknown> = Promise.resolve();
  return defineFunction({
    name: "file_suspicious_activity_report",
    description: "Files a report about a vendor with the compliance department.",
    input: z.object({
      vendorId: z.string().min(1),
      entryId: z.string().describe("Of the sanctions list"),
      reason: z.string().min(1).max(2_000),
    }),
    requiresReview: true,
    handler: async (report, { runId, idempotencyKey }) => {
      // One after the other, so that each gets a number of its own.
      const filing = before.then(() => addReport(reports.file, { ...report, runId, idempotencyKey }));
      before = filing.catch(() => undefined);
      const { reportId } = await filing;
      reports.onFiled?.();
      return { reportId };
    },
  });
}
