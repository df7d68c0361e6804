import { fakeAction } from "@procedo/engine/testing";
import { expect, test } from "vitest";

test.each([
  [{ effect: "write" }, /the effect "write"/],
  [{}, /no effect/],
  [{ effect: "once", requireReview: true }, /no option "requireReview"; did you mean "requiresReview"\?/],
  [{ effect: "once", requiresReview: "yes" }, /a requiresReview that is a string/],
])("a faked action with %o is refused where it is defined", (definition, message) => {
  expect(() => fakeAction(definition as never, {})).toThrow(
    expect.objectContaining({ code: "invalid_configuration", message: expect.stringMatching(message) as string }),
  );
});
