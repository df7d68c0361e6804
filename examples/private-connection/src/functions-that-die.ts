/** The same functions on a machine that loses power after a report was filed, and before anybody is told. */
import process from "node:process";
import { fileReportIn } from "./file-report.ts";

export { screenVendor } from "./functions.ts";
export const fileReport = fileReportIn({
  file: "reports.jsonl",
  onFiled: () => process.kill(process.pid, "SIGKILL"),
});
