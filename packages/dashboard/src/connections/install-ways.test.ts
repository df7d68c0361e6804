import { expect, test } from "vitest";
import { installWays } from "./install-ways.ts";

test("each way to run a client has the address of the service, and no token", () => {
  const ways = installWays("live", "https://sdk.acme.example");
  expect(ways.map(({ name }) => name)).toEqual(["npm", "Docker", "systemd"]);
  for (const { lines } of ways) {
    expect(lines).toContain("PROCEDO_SDK_URL=https://sdk.acme.example");
    expect(lines).not.toMatch(/run_(sandbox|live)_[\w-]/);
  }
});
