import { describe, expect, it } from "vitest";
import { readPathTemplate } from "./path-template.ts";

describe("a path template", () => {
  it.each([
    ["/", []],
    ["/customers/{id}", ["id"]],
    ["/a/{x}.json/{y}:{z}/", ["x", "y", "z"]],
    ["/{.label}{;matrix}", [".label", ";matrix"]],
    ["/{constructor}", ["constructor"]],
    ["/{id}/x/{id}", ["id"]],
  ])("gives the names of its parameters: %s", (path, names) => {
    expect(readPathTemplate(path)).toEqual({ ok: true, names: new Set(names) });
  });

  it.each([
    ["payments", "does not begin with a slash"],
    ["", "does not begin with a slash"],
    ["/a/{", "nothing closes"],
    ["/a}", "nothing opened"],
    ["/{a{b}}", "inside a parameter"],
    ["/{}", "without a name"],
    ["/a?x=1", '"?"'],
    ["/#a", '"#"'],
    ["/a\\b", "no path has"],
    ["/../admin", '".."'],
    ["/a/%2E%2e/b", '".."'],
    ["/a/./b", '"."'],
    ["/a\r\nb", "control characters"],
    ["/\ud800", "surrogate"],
  ])("is refused by its fault: %j", (path, message) => {
    expect(readPathTemplate(path)).toMatchObject({ ok: false, message: expect.stringContaining(message) as string });
  });
});
