import { describe, expect, test } from "vitest";
import type { ResolvedConnection } from "../connections/resolved-connection.ts";
import type { Action } from "../integrations/integration.ts";
import { nothingToRedact } from "../secrets/redact.ts";
import { findAction, findKnownAction } from "./find-action.ts";

const pay = { name: "pay", effect: "once", revision: "r2" } as unknown as Action;
const earlier = { name: "pay", effect: "once", revision: "r1" } as unknown as Action;
const bank: ResolvedConnection = {
  name: "bank",
  connectionId: "con_1",
  settings: {},
  secrets: {},
  redactor: nothingToRedact,
  actions: new Map([["pay", pay]]),
  actionAt: async (_name, revision) => (revision === "r1" ? earlier : undefined),
};
const call = { connection: "bank", action: "pay", connectionId: "con_1" };
const withheld = { ...bank, withheld: "Confirm its new address." };

describe("an action in the cache", () => {
  test.each([
    ["a call of a node", bank, { connection: "bank", action: "pay" }, true],
    ["a call of the current revision", bank, { ...call, revision: "r2" }, true],
    [
      "a call that another connection of the name was frozen for",
      bank,
      { ...call, connectionId: "con_0", revision: "r1" },
      true,
    ],
    ["an unknown action", bank, { connection: "bank", action: "refund" }, false],
    ["a withheld connection", withheld, { ...call, revision: "r2" }, false],
    ["a withheld connection and an earlier revision", withheld, { ...call, revision: "r1" }, false],
  ])("is found without storage, like findAction finds it: %s", async (_what, connection, named, ok) => {
    const found = findKnownAction(() => connection, "sandbox", named);
    expect(found?.ok).toBe(ok);
    expect(found).toEqual(await findAction(async () => connection, "sandbox", named));
  });

  test("is not known for a connection that is not cached, nor for an earlier revision", async () => {
    expect(findKnownAction(() => undefined, "sandbox", call)).toBeUndefined();
    const ofBefore = { ...call, revision: "r1" };
    expect(findKnownAction(() => bank, "sandbox", ofBefore)).toBeUndefined();
    expect(await findAction(async () => bank, "sandbox", ofBefore)).toEqual({
      ok: true,
      action: earlier,
      connection: bank,
    });
  });
});
