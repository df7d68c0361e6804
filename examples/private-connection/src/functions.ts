/** What `procedo-connect src/functions.ts` serves. Reports are filed in the folder where it runs. */
import { fileReportIn } from "./file-report.ts";
import { screenVendorBy } from "./screen-vendor.ts";

export const screenVendor = screenVendorBy(new URL("../sanctions-list.json", import.meta.url));
export const fileReport = fileReportIn({ file: "reports.jsonl" });
