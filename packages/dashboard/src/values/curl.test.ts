import { expect, test } from "vitest";
import { curlCommand } from "./curl.ts";

test("a request to read", () => {
  expect(curlCommand("https://procedo.example", { path: "/api/v1/runs?environment=live" })).toBe(
    "curl 'https://procedo.example/api/v1/runs?environment=live' \\\n  -H \"Authorization: Bearer $PROCEDO_KEY\"",
  );
});

test("a body with quotes and variables stays as it is in a shell", () => {
  const body = JSON.stringify({ note: `it's "$HOME"` });
  const command = curlCommand("http://x", { method: "POST", path: "/a", body });
  expect(command).toContain(String.raw`-d '{"note":"it'\''s \"$HOME\""}'`);
  expect(command).toContain("-X POST 'http://x/a'");
});
