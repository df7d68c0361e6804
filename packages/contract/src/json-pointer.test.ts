import { expect, test } from "vitest";
import { jsonPointer, pointerTokens } from "./json-pointer.ts";

test.each([
  [[], ""],
  [[""], "/"],
  [["nodes", 3, "id"], "/nodes/3/id"],
  [["a/b", "m~n"], "/a~1b/m~0n"],
  [["~1"], "/~01"],
])("the path %j is the pointer %j (RFC 6901)", (path, pointer) => {
  expect(jsonPointer(path)).toBe(pointer);
  expect(pointerTokens(pointer)).toEqual(path.map(String));
});
