import { defineFunction } from "@procedo/private-connection";
import * as z from "zod";
import { addReport } from "./report-file.ts";

/**
 * Files a report after approval by a person. Filing twice makes two reports, so an uncertain call is never repeated
 * automatically.
 */
export function fileReportIn(reports: {
  readonly file: string;
  /** Called after the report was filed, before its result is sent. */
  readonly onFiled?: () => void;
}) {
  let before: Promise<unknown> = Promise.resolve();
  return defineFunction({
    name: "file_suspicious_activity_report",
    description: "Files a report about a vendor with the compliance department.",
    input: z.object({
      vendorId: z.string().min(1),
      entryId: z.string().describe("Id of the entry in the sanctions list"),
      reason: z.string().min(1).max(2_000),
    }),
    requiresReview: true,
    handler: async (report, { runId, idempotencyKey }) => {
      // Serialized, so that each report gets its own number.
      const filing = before.then(() => addReport(reports.file, { ...report, runId, idempotencyKey }));
      before = filing.catch(() => undefined);
      const { reportId } = await filing;
      reports.onFiled?.();
      return { reportId };
    },
  });
}
