import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testConnection } from "@procedo/private-connection";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fileReportIn } from "../src/file-report.ts";
import { screenVendor } from "../src/functions.ts";
import { readReports } from "../src/report-file.ts";
import { screenVendorBy } from "../src/screen-vendor.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "procedo-private-functions-"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

describe("screening", () => {
  const { call } = testConnection({ functions: [screenVendor] });

  test.each([
    ["Hooli KK", "JP", "match", "SL-0017"],
    ["HOOLI K.K.", "JP", "match", "SL-0017"],
    ["Hooli Kabushiki Kaisha", "US", "possible", "SL-0017"],
    ["Societe Generale de Negoce Orion SARL", "FR", "match", "SL-0311"],
    ["Petrov, Iván", "BY", "match", "SL-0420"],
    ["フーリ株式会社", "JP", "match", "SL-0017"],
    ["Globex Corporation", "US", "possible", "SL-0204"],
  ])("%s of %s is %s, by %s", async (name, country, verdict, entryId) => {
    const screened = await call("screen_vendor", { name, country });
    expect(screened).toMatchObject({ verdict, matches: [{ entryId }], listPublishedOn: "2026-11-01" });
  });

  test("a vendor on no list is clear", async () => {
    const screened = await call("screen_vendor", { name: "Acme Industrial GmbH", country: "DE" });
    expect(screened).toMatchObject({ verdict: "clear", matches: [] });
  });

  test("the caller chooses the required similarity of names", async () => {
    const globex = { name: "Globex Corporation", country: "US" };
    expect(await call("screen_vendor", { ...globex, threshold: 0.9 })).toMatchObject({ verdict: "clear" });
  });

  test("an empty name is refused before any comparison", async () => {
    await expect(call("screen_vendor", { name: "  ", country: "DE" })).rejects.toMatchObject({ code: "action_failed" });
  });

  test("a new list applies at once, and no vendor is cleared while the list is unreadable", async () => {
    const file = join(folder, "list.json");
    const connection = testConnection({ functions: [screenVendorBy(file)] });
    const acme = { name: "Acme GmbH", country: "DE" };
    const entry = { id: "SL-1", name: "Acme", aliases: [], country: "DE", program: "Asset freeze" };
    await writeFile(file, JSON.stringify({ publishedOn: "2026-01-01", entries: [] }));
    expect(await connection.call("screen_vendor", acme)).toMatchObject({ verdict: "clear" });
    await writeFile(file, JSON.stringify({ publishedOn: "2026-02-01", entries: [entry] }));
    expect(await connection.call("screen_vendor", acme)).toMatchObject({ verdict: "match" });
    await writeFile(file, JSON.stringify({ publishedOn: "2026-03-01", entries: [{ ...entry, name: "" }] }));
    await expect(connection.call("screen_vendor", acme)).rejects.toThrow(/list cannot be used/);
  });
});

describe("filing a report", () => {
  const report = { vendorId: "ven_hooli", entryId: "SL-0017", reason: "Listed." };

  test("stores it with the run and the key of the call, so that a person can find it", async () => {
    const file = join(folder, "reports.jsonl");
    const { call } = testConnection({ functions: [fileReportIn({ file })] });
    const context = { runId: "run_1", idempotencyKey: "key-1" };
    expect(await call("file_suspicious_activity_report", report, context)).toEqual({ reportId: "SAR-1" });
    expect(await readReports(file)).toEqual([{ reportId: "SAR-1", ...report, ...context }]);
  });

  test("gives each of many concurrent reports a number of its own", async () => {
    const file = join(folder, "reports.jsonl");
    const { call } = testConnection({ functions: [fileReportIn({ file })] });
    const filed = await Promise.all(Array.from({ length: 20 }, () => call("file_suspicious_activity_report", report)));
    expect(new Set(filed.map(({ reportId }) => reportId)).size).toBe(20);
    expect(await readReports(file)).toHaveLength(20);
  });

  test("reports a failure, and files the next report", async () => {
    const place = join(folder, "office");
    const { call } = testConnection({ functions: [fileReportIn({ file: join(place, "reports.jsonl") })] });
    const filing = () => call("file_suspicious_activity_report", report);
    await writeFile(place, "a file where the folder should be");
    await expect(filing()).rejects.toMatchObject({ code: "action_failed" });
    await rm(place);
    await mkdir(place);
    expect(await filing()).toEqual({ reportId: "SAR-1" });
  });
});
