import { describe, expect, test } from "vitest";
import { dayAt } from "./calendar-day.ts";

const at = (time: string): number => Date.parse(time);

describe("the date in a zone", () => {
  test.each([
    ["UTC", "2026-01-02T00:00:00.000Z", "2026-01-02"],
    ["UTC", "2026-01-01T23:59:59.999Z", "2026-01-01"],
    // One hour ahead in winter, two in summer.
    ["Europe/Berlin", "2026-01-01T22:59:59.999Z", "2026-01-01"],
    ["Europe/Berlin", "2026-01-01T23:00:00.000Z", "2026-01-02"],
    ["Europe/Berlin", "2026-07-01T21:59:59.999Z", "2026-07-01"],
    ["Europe/Berlin", "2026-07-01T22:00:00.000Z", "2026-07-02"],
    // The days on which the clocks change have 23 and 25 hours.
    ["Europe/Berlin", "2026-03-28T22:59:59.999Z", "2026-03-28"],
    ["Europe/Berlin", "2026-03-28T23:00:00.000Z", "2026-03-29"],
    ["Europe/Berlin", "2026-03-29T21:59:59.999Z", "2026-03-29"],
    ["Europe/Berlin", "2026-03-29T22:00:00.000Z", "2026-03-30"],
    ["Europe/Berlin", "2026-10-24T22:00:00.000Z", "2026-10-25"],
    ["Europe/Berlin", "2026-10-25T22:59:59.999Z", "2026-10-25"],
    ["Europe/Berlin", "2026-10-25T23:00:00.000Z", "2026-10-26"],
    // In some zones the clocks change at midnight: there is no 00:00 on this day.
    ["America/Santiago", "2025-09-07T03:59:59.999Z", "2025-09-06"],
    ["America/Santiago", "2025-09-07T04:00:00.000Z", "2025-09-07"],
    // Beyond twelve hours in both directions, and quarters of an hour.
    ["Pacific/Kiritimati", "2026-01-01T10:00:00.000Z", "2026-01-02"],
    ["Pacific/Pago_Pago", "2026-01-02T10:59:59.999Z", "2026-01-01"],
    ["Asia/Kathmandu", "2026-01-01T18:14:59.999Z", "2026-01-01"],
    ["Asia/Kathmandu", "2026-01-01T18:15:00.000Z", "2026-01-02"],
    // Samoa went to the other side of the date line and had no 30 December.
    ["Pacific/Apia", "2011-12-30T09:59:59.999Z", "2011-12-29"],
    ["Pacific/Apia", "2011-12-30T10:00:00.000Z", "2011-12-31"],
    ["UTC", "2024-02-29T12:00:00.000Z", "2024-02-29"],
    ["UTC", "0999-12-31T12:00:00.000Z", "0999-12-31"],
  ])("of %s at %s is %s", (timeZone, time, day) => {
    expect(dayAt({ timeZone }, at(time))).toBe(day);
  });

  test("is written in the same digits and the same calendar everywhere", () => {
    expect(dayAt({ timeZone: "Asia/Bangkok" }, at("2026-05-06T12:00:00Z"))).toBe("2026-05-06");
    expect(dayAt({ timeZone: "Asia/Tehran" }, at("2026-05-06T12:00:00Z"))).toBe("2026-05-06");
  });

  test("in UTC equals the date of an ISO timestamp, over years", () => {
    const calendar = { timeZone: "UTC" };
    const hourMs = 3_600_000;
    for (let atMs = at("2023-12-30T00:30:00Z"); atMs < at("2028-03-02T00:00:00Z"); atMs += 7 * hourMs) {
      expect(dayAt(calendar, atMs)).toBe(new Date(atMs).toISOString().slice(0, 10));
    }
  });
});
