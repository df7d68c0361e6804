/** The same functions on a machine that loses power after filing a report, before sending its result. */
import process from "node:process";
import { fileReportIn } from "./file-report.ts";

export { screenVendor } from "./functions.ts";
export const fileReport = fileReportIn({
  file: "reports.jsonl",
  onFiled: () => process.kill(process.pid, "SIGKILL"),
});
