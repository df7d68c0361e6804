import { expect, test } from "vitest";
import { createProviderPlaces } from "./provider-places.ts";

test("one address has 16 places, all addresses have 64, and each release makes room once", () => {
  const place = createProviderPlaces();
  const fill = (address: string | undefined) => {
    const releases: (() => void)[] = [];
    for (;;) {
      const release = place(address);
      if (release === undefined) return releases;
      releases.push(release);
    }
  };
  const first = fill("2001:db8::1");
  expect(first).toHaveLength(16);
  expect(place("2001:db8::2")).toBeUndefined();
  expect(["192.0.2.1", "192.0.2.2", "192.0.2.3"].map((address) => fill(address).length)).toEqual([16, 16, 16]);
  expect(place("192.0.2.4")).toBeUndefined();
  first[0]?.();
  expect(fill("192.0.2.4")).toHaveLength(1);
  first[1]?.();
  expect(fill(undefined)).toHaveLength(1);
});
