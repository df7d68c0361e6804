import { expect, test } from "vitest";
import { permissionsText } from "./permission-words.ts";

test("permissions are named in one order, and a key without any reads only", () => {
  expect(permissionsText(["review", "run"])).toBe("Run, Review");
  expect(permissionsText([])).toBe("Read only");
});
