import { expect, test } from "vitest";
import { checkAddress } from "./address.ts";
import { checkToken } from "./token.ts";

test.each([
  ["https://sdk.example.com", "https://sdk.example.com"],
  ["https://sdk.example.com/", "https://sdk.example.com"],
  ["https://sdk.example.com:8443/tenants/acme//", "https://sdk.example.com:8443/tenants/acme"],
  ["http://localhost:8787", "http://localhost:8787"],
  ["http://procedo.localhost", "http://procedo.localhost"],
  ["http://127.0.0.1:8787/", "http://127.0.0.1:8787"],
  ["http://127.1", "http://127.0.0.1"],
  ["http://[::1]:8787", "http://[::1]:8787"],
])("%s is an address", (given, address) => {
  expect(checkAddress(given)).toBe(address);
});

test.each([
  "http://sdk.example.com",
  "http://10.0.0.1",
  "http://0.0.0.0",
  "http://128.0.0.1",
  "http://localhost.example.com",
  "http://127.0.0.1.example.com",
  "http://[::2]",
  "http://[::ffff:10.0.0.1]",
])("%s is rejected, because plain HTTP must not leave this machine", (given) => {
  expect(() => checkAddress(given)).toThrow(
    "Use https:// to protect the token; plain HTTP is allowed only to this machine",
  );
});

test.each([
  [undefined, "set PROCEDO_SDK_URL"],
  ["", "set PROCEDO_SDK_URL"],
  ["sdk.example.com", "is not a valid address"],
  ["ftp://sdk.example.com", "is not a valid address"],
  ["file:///etc/passwd", "is not a valid address"],
  ["https://user:secret@sdk.example.com", "must not contain credentials"],
  ["https://sdk.example.com?tenant=1", "must not contain credentials, a query or a fragment"],
])("%s is rejected", (given, message) => {
  expect(() => checkAddress(given)).toThrow(message);
  expect(() => checkAddress(given)).not.toThrow("secret");
});

test.each([
  ["run_sandbox_abc", "sandbox"],
  ["run_live_abc", "live"],
])("the token determines the environment: %s", (token, environment) => {
  expect(checkToken(token)).toEqual({ token, environment });
});

test.each([
  [undefined, "set PROCEDO_CONNECTION_TOKEN"],
  ["", "set PROCEDO_CONNECTION_TOKEN"],
  ["rsk_live_abc", "This one is an API key."],
  ["run_live_abc\n", "white space"],
  ["abc", "begin with run_sandbox_ or run_live_"],
])("an invalid token is rejected without being quoted: %j", (token, message) => {
  expect(() => checkToken(token)).toThrow(message);
  expect(() => checkToken(token)).not.toThrow("abc");
});
