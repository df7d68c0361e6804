import { expectTypeOf, test } from "vitest";
import type { ErrorBody } from "./error-body.ts";
import type { ErrorCode, ErrorDetail } from "./errors.ts";

test("a body's code belongs to the closed union, and its details are an error's", () => {
  expectTypeOf<ErrorBody["code"]>().toEqualTypeOf<ErrorCode>();
  expectTypeOf<NonNullable<ErrorBody["details"]>[number]>().toExtend<ErrorDetail>();
});
