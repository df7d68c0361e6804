import { createEngine } from "@procedo/engine";
import { createMemoryStorage } from "@procedo/storage";
import { describe, expect, test } from "vitest";
import { readSettings } from "../src/settings/settings.ts";

describe("PROCEDO_ALLOW_NETWORKS accepts exactly the networks that the engine accepts", () => {
  const settings = (text: string) => readSettings({ PROCEDO_ALLOW_NETWORKS: text });
  const engine = (text: string) =>
    createEngine({
      storage: createMemoryStorage({ now: Date.now }),
      integrations: [],
      masterKey: new Uint8Array(32),
      egress: { allowNetworks: [text] },
    });

  test.each(["10.0.0.0/8", "127.0.0.1/32", "::1/128", "fd00::/8", "fe80:1::/64", "0.0.0.0/0", "::ffff:10.0.0.0/104"])(
    "%s is one",
    async (text) => {
      expect(settings(text).allowNetworks).toEqual([text]);
      await engine(text).stop();
    },
  );

  test.each(["10.0.0.1/8", "fd00::1/8", "fd00::/129", "10.0.0/8", "::/x", "fe80::%eth0/64", "::ffff:10.0.0.1/104"])(
    "%s is not one",
    (text) => {
      expect(() => settings(text)).toThrow(text);
      expect(() => engine(text)).toThrow(text);
    },
  );
});
