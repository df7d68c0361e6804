import { describe, expect, it } from "vitest";
import { readPathTemplate, splitPathKey } from "./path-template.ts";

describe("a path template", () => {
  it("has parameters in its query, by their names", () => {
    expect(readPathTemplate("/a/{x}?q={text}&full&page%5Bsize%5D={size}")).toEqual({
      ok: true,
      names: new Set(["x"]),
      queryNames: new Map([
        ["q", "text"],
        ["page[size]", "size"],
      ]),
    });
  });

  it.each([
    ["/", []],
    ["/customers/{id}", ["id"]],
    ["/a/{x}.json/{y}:{z}/", ["x", "y", "z"]],
    ["/{.label}{;matrix}", [".label", ";matrix"]],
    ["/{constructor}", ["constructor"]],
    ["/{id}/x/{id}", ["id"]],
    ["/search/{query}.{ext}", ["query", "ext"]],
    ["/compare/{from}..{to}/{a}...{b}", ["from", "to", "a", "b"]],
    ["/v1.{x}/.{hidden}/{y}.", ["x", "hidden", "y"]],
    ["/{id}:cancel/{a},{b}/{c};{d}", ["id", "a", "b", "c", "d"]],
    ["/a//b/%2F/{user-id}/{$top}/{a b}/{c#d}", ["user-id", "$top", "a b", "c#d"]],
    ["/files/{id}#{upload}", ["id"]],
  ])("gives the names of its parameters: %s", (path, names) => {
    expect(readPathTemplate(path)).toEqual({ ok: true, names: new Set(names), queryNames: new Map() });
  });

  it.each([
    ["payments", "does not begin with a slash"],
    ["", "does not begin with a slash"],
    ["/a/{", "nothing closes"],
    ["/a}", "nothing opened"],
    ["/{a{b}}", "inside a parameter"],
    ["/{}", "without a name"],
    ["/a?x={x}y", '"x={x}y"'],
    ["/a?x={x", '"x={x"'],
    ["/a?x=1}", "query"],
    ["?x=1", "does not begin with a slash"],
    ["/a?x=\r\n", "control characters"],
    ["#create", "does not begin with a slash"],
    ["/a/..#b", '".."'],
    ["/..;{x}", '".."'],
    ["/a%2f..%2fb", '".."'],
    ["/a#b\r\nc", "control characters"],
    ["/a\\b", "backslash"],
    ["/../admin", '".."'],
    ["/a/%2E%2e/b", '".."'],
    ["/a/./b", '"."'],
    ["/a\r\nb", "control characters"],
    ["/\ud800", "surrogate"],
  ])("is rejected with its fault: %j", (path, message) => {
    expect(readPathTemplate(path)).toMatchObject({ ok: false, message: expect.stringContaining(message) as string });
  });

  it.each([
    ["/a#b?c/../d", "/a", "", "#b?c/../d"],
    ["/#X-Amz-Target=A.B", "/", "", "#X-Amz-Target=A.B"],
    ["/{c#d}/{e?f}#g#h", "/{c#d}/{e?f}", "", "#g#h"],
    ["/rest?method=a&b#c?d", "/rest", "?method=a&b", "#c?d"],
    ["/a?../b", "/a", "?../b", ""],
    ["/a", "/a", "", ""],
    ["/a{?b,c*}{&d}#e", "/a", "?b={b}&c={c}&d={d}", "#e"],
    ["/a{?b}?c=1", "/a", "?c=1&b={b}", ""],
    ["/{?}/{&}", "/{?}/{&}", "", ""],
  ])("is separated from the query and the fragment of its key: %s", (key, path, query, fragment) => {
    expect(readPathTemplate(key).ok).toBe(true);
    expect(splitPathKey(key)).toEqual({ path, query, fragment });
  });
});
