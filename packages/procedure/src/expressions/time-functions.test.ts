import { Environment } from "@marcbachmann/cel-js";
import { describe, expect, test } from "vitest";
import { problemsOf, valueOf } from "./sample-scope.ts";

const parts = [
  ...["getFullYear", "getMonth", "getDate", "getDayOfMonth", "getDayOfWeek", "getDayOfYear"],
  ...["getHours", "getMinutes", "getSeconds", "getMilliseconds"],
];

/** New Year's Eve, a leap day, both sides of summer time, and a time before 1970. */
const moments = [
  "2026-01-01T00:00:00Z",
  "2025-12-31T23:59:59.999Z",
  "2024-02-29T12:34:56.789Z",
  "2026-03-29T00:59:59Z",
  "2026-03-29T01:00:00Z",
  "1965-07-04T03:02:01.004Z",
];

const library = new Environment();

describe("the parts of a time are CEL's", () => {
  test.each(parts.flatMap((part) => moments.map((moment) => [part, moment])))("%s of %s", (part, moment) => {
    const source = `timestamp("${moment}").${part}()`;
    expect(valueOf(source)).toBe(Number(library.evaluate(source)));
  });

  test.each(parts.flatMap((part) => moments.map((moment) => [part, moment])))(
    "%s of %s in a time zone",
    (part, moment) => {
      const source = `timestamp("${moment}").${part}("Europe/Berlin")`;
      expect(valueOf(source)).toBe(Number(library.evaluate(source)));
    },
  );
});

describe("time functions for finance", () => {
  test.each([
    ['timestamp("2026-01-31T23:30:00Z").getDate("Europe/Berlin")', 1],
    ['timestamp("2026-01-31T23:30:00Z").getMonth("Europe/Berlin")', 1],
    ['timestamp("2026-11-28T23:30:00Z").getDayOfWeek("UTC") == 6', true],
    ['timestamp("2026-11-28T23:30:00Z").getDayOfWeek("Europe/Berlin") == 0', true],
    ['timestamp("2026-01-31T09:00:00Z").getHours("America/New_York")', 4],
    ['timestamp("2026-01-31T09:00:00Z").getHours("+05:45")', 14],
    ['timestamp("2026-01-31T09:00:00Z").getMinutes("+05:45")', 45],
    ['timestamp("2026-01-31T23:30:00Z").isoDate()', "2026-01-31"],
    ['timestamp("2026-01-31T23:30:00Z").isoDate("Europe/Berlin")', "2026-02-01"],
    ['timestamp("0100-01-01").isoDate("Etc/GMT+5")', "0099-12-31"],
    ['double((timestamp("2026-03-31") - timestamp("2026-03-01")).getHours()) / 24', 30],
    ['(timestamp("2026-01-01") - timestamp("2026-01-02T00:00:01Z")).getHours()', -24],
    ['duration("3730s").getMinutes()', 62],
    ['duration("3730.9s").getSeconds()', 3730],
    ['duration("123.321s").getMilliseconds()', 321],
  ])("%s is %j", (source, value) => {
    expect(valueOf(source)).toBe(value);
  });

  test("a time zone that does not exist is refused when the version is published", () => {
    for (const method of [...parts, "isoDate"]) {
      expect(problemsOf(`timestamp(run.createdAt).${method}("Europe/Berlim")`)).toContain("by its name in the IANA");
      expect(problemsOf(`timestamp(run.createdAt).${method}("Europe/Berlin")`)).toBe("");
    }
    expect(() => valueOf('timestamp("2026-01-31").getHours(input.zone)', { zone: "Nowhere" })).toThrow("IANA");
  });

  test("a text is not a time until it is parsed", () => {
    expect(problemsOf("run.createdAt.getHours()")).toContain("getHours takes a timestamp");
  });

  test("lookups of time zones are counted, including unknown names", () => {
    const lists = { many: Array.from({ length: 200 }, (_, index) => `Area/${index}`) };
    const source = 'input.many.exists(a, input.many.exists(b, timestamp("2026-01-31").getHours(a + b) == 1))';
    expect(() => valueOf(source, lists)).toThrow("takes more than 500000 steps");
  });
});
