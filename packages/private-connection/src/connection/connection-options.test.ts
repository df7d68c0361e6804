import { expect, test } from "vitest";
import { checkConnectionOptions } from "./connection-options.ts";

const token = `run_sandbox_${"a".repeat(43)}`;
const options = { functions: [], token, url: "https://sdk.procedo.example" };
const settings = { token: undefined, url: undefined, proxies: {} };

test.each([
  [{ functions: undefined }, /^functions is undefined\. Give a list/],
  [{ token: 5 }, /^The token is a number\. It begins with run_sandbox_/],
  [{ token: [token] }, /^The token is a list\./],
  [{ url: 10n }, /^url is not a valid address/],
  [{ concurrency: {} }, /^concurrency is an object\. Give a whole number/],
  [{ ca: true }, /^ca is a boolean\. Give certificates in PEM/],
  [{ concurency: 5 }, /no option "concurency"; did you mean "concurrency"\?/],
])("a private connection with %o is rejected with instructions", (wrong, message) => {
  expect(() => checkConnectionOptions({ ...options, ...wrong } as never, settings as never)).toThrow(
    expect.objectContaining({ code: "invalid_configuration", message: expect.stringMatching(message) as string }),
  );
});
