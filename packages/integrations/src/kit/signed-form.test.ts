import { describe, expect, test } from "vitest";
import { isForm, signedForm } from "./signed-form.ts";

const read = (text: string) => Object.fromEntries(signedForm(new TextEncoder().encode(text)));

describe("a signed form", () => {
  test("has its fields by name, decoded once", () => {
    expect(read("command=%2Fpay&text=12%2C50+EUR+%252B&empty=&bare")).toEqual({
      command: "/pay",
      text: "12,50 EUR %2B",
      empty: "",
      bare: "",
    });
  });

  test.each(["text=1&text=2", "text=1&%74ext=2", "text=%FF", "text=%2"])("is refused as %s", (text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code: "malformed_request" }));
  });

  test("is refused with bytes that are not UTF-8", () => {
    expect(() => signedForm(Uint8Array.of(0x61, 0x3d, 0xff))).toThrow(
      expect.objectContaining({ code: "malformed_request" }),
    );
  });

  test("is recognized by its content type alone", () => {
    const typed = (contentType: string) => isForm({ header: () => [contentType] });
    expect(typed("application/x-www-form-urlencoded; charset=utf-8")).toBe(true);
    expect(typed("Application/X-WWW-Form-Urlencoded")).toBe(true);
    expect(typed("application/x-www-form-urlencoded-not")).toBe(false);
    expect(isForm({ header: () => [] })).toBe(false);
  });
});
