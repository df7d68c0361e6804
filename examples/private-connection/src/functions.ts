/** The functions served by `procedo-connect src/functions.ts`. Reports are filed in its working folder. */
import { fileReportIn } from "./file-report.ts";
import { screenVendorBy } from "./screen-vendor.ts";

export const screenVendor = screenVendorBy(new URL("../sanctions-list.json", import.meta.url));
export const fileReport = fileReportIn({ file: "reports.jsonl" });
