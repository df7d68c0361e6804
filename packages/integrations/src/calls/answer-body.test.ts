import { createRedactor } from "@procedo/engine";
import { expect, test } from "vitest";
import { answerBody } from "./answer-body.ts";

const redactor = createRedactor([]);

test("JSON that begins with a byte order mark is read without it (RFC 8259, 8.1)", () => {
  const bytes = new TextEncoder().encode('\ufeff{"id":9007199254740993}');
  expect(answerBody(bytes, "application/json", redactor)).toMatchObject({ value: { id: "9007199254740993" } });
  expect(answerBody(bytes, null, redactor)).toMatchObject({ value: { id: "9007199254740993" } });
});

test("text that begins with a byte order mark is read without it", () => {
  expect(answerBody(new TextEncoder().encode("\ufeffpaid"), "text/plain; charset=utf-8", redactor)).toEqual({
    value: "paid",
  });
});
