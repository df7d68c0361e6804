/** Prints times around the changes of clocks in 2026, for a test that runs it in other time zones of the machine. */
import { schedule, timesBackwards, timesBetween } from "./schedule.fixture.ts";

const zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo", "UTC"];
const periods = [
  ["2026-03-07T00:00:00Z", "2026-03-09T00:00:00Z"],
  ["2026-03-28T00:00:00Z", "2026-03-30T00:00:00Z"],
  ["2026-04-04T00:00:00Z", "2026-04-06T00:00:00Z"],
  ["2026-04-23T00:00:00Z", "2026-04-25T00:00:00Z"],
  ["2026-10-03T00:00:00Z", "2026-10-05T00:00:00Z"],
  ["2026-10-24T00:00:00Z", "2026-10-26T00:00:00Z"],
  ["2026-10-29T00:00:00Z", "2026-11-02T00:00:00Z"],
] as const;

for (const zone of zones) {
  for (const cron of ["0,30 2,14 * * *", "0 */3 * * *"]) {
    for (const [after, before] of periods) {
      const one = schedule(cron, zone);
      const line = [zone, cron, ...timesBetween(one, after, before), one.count(Date.parse(after), Date.parse(before))];
      process.stdout.write(`${line.join(" ")}\n${timesBackwards(one, after, before).join(" ")}\n`);
    }
  }
}
