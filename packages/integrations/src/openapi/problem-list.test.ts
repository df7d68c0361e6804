import { describe, expect, it } from "vitest";
import { createProblemList, errorAt, listProblems, maxProblems, shown, warningAt } from "./problem-list.ts";

const nowhere = { locate: () => ({ line: 1, column: 1 }) };
/** The line equals the number at the end of the pointer. */
const byNumber = { locate: (pointer: string) => ({ line: Number(/\d*$/.exec(pointer)?.[0]), column: 1 }) };

describe("problems", () => {
  it("are reported once, without repetitions, in the document's order with their lines", () => {
    const problems = createProblemList();
    problems.push(errorAt("/b/2", "is wrong."), warningAt("/a/1", "is odd."));
    problems.add([errorAt("/b/2", "is wrong."), errorAt("/b/2", "is wrong otherwise.")]);
    expect(listProblems(problems, byNumber)).toEqual([
      { severity: "warning", pointer: "/a/1", message: "is odd.", line: 1, column: 1 },
      { severity: "error", pointer: "/b/2", message: "is wrong.", line: 2, column: 1 },
      { severity: "error", pointer: "/b/2", message: "is wrong otherwise.", line: 2, column: 1 },
    ]);
  });

  it("beyond the limit are counted, and errors come before warnings", () => {
    const problems = createProblemList();
    for (let index = 0; index < maxProblems; index++) problems.push(warningAt(`/w/${index}`, "is odd."));
    problems.push(errorAt("/e/1", "is wrong."), errorAt("/e/2", "is wrong."));
    const listed = listProblems(problems, nowhere);
    expect(listed).toHaveLength(maxProblems + 1);
    expect(listed.filter(({ severity }) => severity === "error")).toHaveLength(2);
    expect(listed.at(-1)?.message).toBe("2 more problems are not listed; correct these first.");
  });

  it("use bounded memory, regardless of their number and length", () => {
    const problems = createProblemList();
    for (let index = 0; index < 10_000; index++)
      problems.push(errorAt(`/${"x/".repeat(2_000)}${index}`, `${index}${"y".repeat(5_000)}`));
    expect(problems.found.length).toBeLessThan(5_000);
    expect(problems.overflowed).toBe(true);
    const [first] = listProblems(problems, nowhere);
    expect(first?.pointer).toMatch(/^(?:\/x)+$/);
    expect(first?.message.length).toBeLessThan(1_000);
    expect(listProblems(problems, nowhere).at(-1)?.message).toMatch(/^More than/);
  });
});

describe("a value in a message", () => {
  it.each([
    ["querry", '"querry"'],
    [42, "42"],
    [null, "null"],
    [undefined, "nothing"],
    [[1], "a list"],
    [{ a: 1 }, "an object"],
    ["a\nb", '"a\\nb"'],
  ])("is short and on one line: %j", (value, text) => {
    expect(shown(value)).toBe(text);
  });

  it("is truncated when it is long", () => {
    expect(shown("x".repeat(1_000_000)).length).toBeLessThan(100);
  });
});
