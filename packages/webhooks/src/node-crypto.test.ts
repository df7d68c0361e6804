import { afterEach, beforeEach, expect, test, vi } from "vitest";

beforeEach(() => vi.resetModules());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

const request = { body: "{}", secret: "whsec_secret" };

test.each([
  ["a browser, which has no process", undefined],
  ["a bundler's stand-in for process", { env: {} }],
  ["a runtime that has the call but not the module", { getBuiltinModule: () => undefined }],
])("in %s, importing works, and a call names the entry point that works there", async (_name, process) => {
  vi.stubGlobal("process", process);
  const { signWebhook } = await import("./index.ts");
  const web = await import("./web.ts");
  vi.unstubAllGlobals();
  expect(() => signWebhook(request)).toThrow(expect.objectContaining({ code: "unsupported_runtime", status: 500 }));
  expect(() => signWebhook(request)).toThrow("@procedo/webhooks/web");
  await expect(web.signWebhook(request)).resolves.toMatch(/^sha256=/);
});
