import { expect, test } from "vitest";
import { PostgresStorage } from "./postgres-storage.ts";

const refused = (message: RegExp): unknown => ({
  code: "invalid_configuration",
  message: expect.stringMatching(message) as string,
});

test.each([
  [undefined, /takes a connection string, and was given undefined\. Write postgresql:\/\//],
  ["localhost", /was given an invalid one/],
  ["mysql://user:canary@db/procedo", /was given an invalid one/],
  [{ connectionString: "postgres://db/procedo" }, /was given an object/],
])("connecting to %o is rejected with instructions", async (url, message) => {
  const error: unknown = await PostgresStorage.connect(url as string).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject(refused(message) as object);
  expect(String(error)).not.toContain("canary");
});

test.each([
  [{ poolsize: 5 }, /^PostgresStorage\.connect has no option "poolsize"; did you mean "poolSize"\?/],
  [{ schema: 5 }, /^The option schema is a number\. Give the name of a schema/],
  [{ timeoutMs: Infinity }, /^The option timeoutMs is Infinity\. Give a whole number from 1 to 2147483647\.$/],
  [{ pollMs: 0 }, /^The option pollMs is 0\./],
  [{ poolSize: "10" }, /^The option poolSize is "10"\./],
  [{ warn: console }, /^The option warn is an object\. Give a function\./],
  [{ timeout: 5 }, /^PostgresStorage\.connect has no option "timeout"; did you mean "timeoutMs"\?/],
])("connecting with %o is rejected with instructions", async (options, message) => {
  await expect(PostgresStorage.connect("postgres://db/procedo", options as never)).rejects.toMatchObject(
    refused(message) as object,
  );
});

test.each([
  [{ pool: undefined }, /^PostgresStorage\.open was given undefined as pool\. Give a Pool of the package pg\./],
  [{ pool: {}, notfy: false }, /did you mean "notify"\?/],
])("opening with %o is rejected with instructions", async (options, message) => {
  await expect((async () => PostgresStorage.open(options as never))()).rejects.toMatchObject(
    refused(message) as object,
  );
});

test("a storage created with new is rejected with instructions", () => {
  const Constructor = PostgresStorage as unknown as new (options: object) => unknown;
  expect(() => new Constructor({ pool: {} })).toThrow(/Write await PostgresStorage\.connect\(url\)\.$/);
});
