import { expect, test } from "vitest";
import { checkReturnPath } from "./return-path.ts";

test.each(["/", "/dashboard", "/dashboard/live/connections/con_1?tab=calls#last"])(
  "a browser may return to %s",
  (path) => {
    expect(() => checkReturnPath(path)).not.toThrow();
  },
);

test.each([
  ...["", "dashboard", "//evil.test", "/\\evil.test", "https://evil.test", "/a/..//evil.test", "/\t/evil.test"],
  ...["/../evil", "javascript:alert(1)", "/dashboard//evil.test", "/\n", `/${"a".repeat(1_001)}`],
])("no browser is sent to %j", (path) => {
  expect(() => checkReturnPath(path)).toThrow(expect.objectContaining({ code: "invalid_input" }));
});
