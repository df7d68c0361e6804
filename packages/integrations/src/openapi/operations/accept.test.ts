import { expect, it } from "vitest";
import { acceptOf } from "./accept.ts";

it.each<[string, readonly string[], readonly string[], string]>([
  ["nothing", [], [], "application/json, */*;q=0.5"],
  ["JSON", ["application/json"], [], "application/json, */*;q=0.5"],
  [
    "a vendor's JSON, with its version",
    ["application/vnd.users+json;version=1.0"],
    [],
    "application/vnd.users+json;version=1.0, */*;q=0.5",
  ],
  ["one that is no JSON", ["text/csv"], [], "text/csv, */*;q=0.5"],
  [
    "several, none of them JSON",
    ["text/csv", "application/pdf", "application/xml"],
    [],
    "text/csv, application/pdf;q=0.9, application/xml;q=0.9, */*;q=0.5",
  ],
  ["JSON beside others", ["application/json", "application/xml", "text/csv"], [], "application/json, */*;q=0.5"],
  [
    "JSON of errors",
    ["application/json"],
    ["application/problem+json", "text/html", "application/json"],
    "application/json, application/problem+json;q=0.8, */*;q=0.5",
  ],
  [
    "bytes whose errors are JSON",
    ["application/pdf"],
    ["application/json"],
    "application/pdf, application/json;q=0.8, */*;q=0.5",
  ],
  [
    "one in two charsets",
    ["application/json", "application/json; charset=utf-8"],
    ["application/json;charset=UTF-8"],
    "application/json, */*;q=0.5",
  ],
  ["ranges", ["image/*"], [], "image/*, */*;q=0.5"],
  ["a range that JSON fits", ["application/*+json", "*/*"], [], "application/json, */*;q=0.5"],
  ["a weight and a boundary", ["text/csv;q=0.1;header=present"], [], "text/csv;header=present, */*;q=0.5"],
])("requests the types of the responses: %s", (_name, success, failure, accept) => {
  expect(acceptOf({ success, failure })).toBe(accept);
});

it("lists at most eight types", () => {
  const success = Array.from({ length: 200 }, (_, index) => `video/x-${index}`);
  expect(acceptOf({ success, failure: [] }).split(", ")).toHaveLength(9);
  const long = success.map((each) => `${each};profile=${"x".repeat(900)}`);
  expect(acceptOf({ success: long, failure: [] }).split(", ")).toHaveLength(3);
});
