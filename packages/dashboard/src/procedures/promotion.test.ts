import { expect, test } from "vitest";
import type { Version } from "../api/models.ts";
import { usedConnections, whyNotPromoted } from "./promotion.ts";

test("promotion is refused with a reason", () => {
  expect(whyNotPromoted({ sandbox: "2", live: "1" }, true)).toBeUndefined();
  expect(whyNotPromoted({ sandbox: "2" }, true)).toBeUndefined();
  expect(whyNotPromoted({ sandbox: "2", live: "1" }, false)).toMatch(/^Only builders and owners/);
  expect(whyNotPromoted({ live: "1" }, true)).toMatch(/no default version/);
  expect(whyNotPromoted({ sandbox: "1", live: "1" }, true)).toMatch(/already/);
});

test("connections are listed once, with the steps that call them", () => {
  const call = (id: string, connection: string, title?: string) => ({ kind: "tool_call", id, connection, title });
  const nodes = [{ kind: "start", id: "start" }, call("b", "ledger"), call("a", "bank", "Pay"), call("c", "bank")];
  const version = { document: { nodes } } as unknown as Version;
  expect(usedConnections(version)).toEqual([
    { name: "bank", steps: ["Pay", "c"] },
    { name: "ledger", steps: ["b"] },
  ]);
});
