import type { JsonValue } from "@procedo/contract";
import fc from "fast-check";

export const long = "a text that is long enough to be worth a reference, which costs some forty bytes itself";

/** JSON with hostile member names: the characters of pointers, numbers, names of the prototype. */
export const jsonValue: fc.Arbitrary<JsonValue> = fc
  .letrec<{ value: string; object: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      fc.oneof(
        fc.integer().map(String),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
        fc.string({ unit: "binary", maxLength: 8 }).map((text) => JSON.stringify(text)),
        fc.constantFrom(
          "null",
          "true",
          "false",
          '""',
          "{}",
          "[]",
          JSON.stringify(long),
          JSON.stringify(long.repeat(2)),
        ),
      ),
      tie("object"),
      fc.array(tie("value"), { maxLength: 3 }).map((items) => `[${items.join(",")}]`),
    ),
    object: fc
      .uniqueArray(
        fc.tuple(
          fc.constantFrom("a", "b", "a/b", "~", "~1", "", "__proto__", "1", "0", "constructor", "long name"),
          tie("value"),
        ),
        {
          selector: ([name]) => name,
          maxLength: 4,
        },
      )
      .map((members) => `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`),
  }))
  .value.map((text) => JSON.parse(text) as JsonValue);
