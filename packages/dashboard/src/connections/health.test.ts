import { expect, test } from "vitest";
import { healthWords, needsPerson, remedies, shownConnections, type Health } from "./health.ts";

const connection = (name: string, status: Health["status"], integration = "stripe") => ({
  name,
  integration,
  health: { status },
});
const titleOf = (integration: string): string => (integration === "custom_api" ? "Custom API" : "Stripe");
const namesFor = (text: string): readonly string[] =>
  shownConnections(
    [
      connection("bank", "ok"),
      connection("ledger", "needs_authorization", "custom_api"),
      connection("acquirer", "unknown"),
      connection("books", "failing"),
    ],
    { text, titleOf },
  ).map(({ name }) => name);

test("connections that need a person come first, then the others by name", () => {
  expect(namesFor("")).toEqual(["books", "ledger", "acquirer", "bank"]);
});

test("a text finds connections by their name and by the title of their integration", () => {
  expect(namesFor(" BANK ")).toEqual(["bank"]);
  expect(namesFor("custom")).toEqual(["ledger"]);
  expect(namesFor("nothing")).toEqual([]);
});

test("each state in which nothing is sent says how it is mended", () => {
  for (const status of Object.keys(healthWords) as readonly Health["status"][]) {
    expect(needsPerson({ status }), status).toBe(!["ok", "unknown"].includes(status));
    expect(remedies[status] !== undefined, status).toBe(needsPerson({ status }));
  }
});
