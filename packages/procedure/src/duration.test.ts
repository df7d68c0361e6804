import { describe, expect, it } from "vitest";
import { parseDuration } from "./duration.ts";

describe("a duration", () => {
  it.each([
    ["P7D", 604_800_000],
    ["P2W", 1_209_600_000],
    ["PT1H", 3_600_000],
    ["PT90M", 5_400_000],
    ["PT0.5S", 500],
    ["P1DT2H3M4S", 93_784_000],
    ["P3650D", 315_360_000_000],
  ])("%s lasts %d ms", (text, ms) => {
    expect(parseDuration(text)).toEqual({ ok: true, ms });
  });

  it.each(["P1Y", "P1M", "P1Y2M", "P1M3D", "P1Y2M3DT4H"])(
    "%s is refused because years and months differ in length",
    (text) => {
      expect(parseDuration(text)).toMatchObject({ ok: false, message: expect.stringContaining("P30D") });
    },
  );

  it.each(["", "P", "PT", "P1DT", "7D", "P-1D", "p7d", "P1.5D", "PT1S1M", "P1W2D", "7 days", "P7D\n", " P7D"])(
    "%j is refused with a valid example",
    (text) => {
      expect(parseDuration(text)).toMatchObject({ ok: false, message: expect.stringContaining('"P7D"') });
    },
  );

  it("of zero is refused", () => {
    expect(parseDuration("PT0S")).toMatchObject({ ok: false });
  });

  it("of more than ten years is refused", () => {
    expect(parseDuration("P3651D")).toMatchObject({ ok: false });
    expect(parseDuration("P999999999W")).toMatchObject({ ok: false });
  });
});
