import { describe, expect, it } from "vitest";
import { repeatableRandom } from "../testing/repeatable-random.ts";
import { environmentOfAddress, newInboundAddress } from "./inbound-address.ts";

describe("inbound addresses", () => {
  it("name their environment, and hold 128 random bits", () => {
    const address = newInboundAddress("live", repeatableRandom());
    expect(address).toMatch(/^in_live_[0-9a-f]{32}$/);
    expect(environmentOfAddress(address)).toBe("live");
    expect(environmentOfAddress(newInboundAddress("sandbox", repeatableRandom()))).toBe("sandbox");
  });

  it.each(["", "in_live_", "in_test_00000000000000000000000000000000", "in_live_0000000000000000000000000000000G"])(
    "are told from other texts: %j",
    (text) => {
      expect(environmentOfAddress(text)).toBeUndefined();
    },
  );
});
