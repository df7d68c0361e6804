import { expect, test } from "vitest";
import { searchedText } from "./searched-text.ts";

test.each([
  ["  INV-2041 ", "INV-2041"],
  ["run_01K5Z8Q3", "run_01K5Z8Q3"],
  ["https://procedo.acme.example/dashboard/live/runs/run_01K5Z8Q3/record?step=pay.1", "run_01K5Z8Q3"],
  ["https://procedo.acme.example/dashboard/live/reviews/rev_01K5Z8Q4", "rev_01K5Z8Q4"],
  ['{"runId":"run_01K5Z8Q3","status":"failed"}', "run_01K5Z8Q3"],
  ["dry_run_2041_of_acme", "dry_run_2041_of_acme"],
  ["run", "run"],
  ["", ""],
])("%j is searched as %j", (text, searched) => {
  expect(searchedText(text)).toBe(searched);
});
