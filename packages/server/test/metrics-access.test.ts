import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createLog } from "../src/observe/log.ts";
import { readSettings, startServer } from "../src/index.ts";
import { makePlace } from "./server-process.ts";

const token = "0123456789abcdef0123456789abcdef";
const counts = "procedo_runs_open";

async function started(env: Readonly<Record<string, string>>) {
  const place = makePlace({ PROCEDO_LOG_LEVEL: "info", ...env });
  const lines: Readonly<Record<string, unknown>>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  const server = await startServer({ settings: readSettings(place.env), log: createLog("info", { destination }) });
  onTestFinished(async () => {
    await server.stop();
    place.remove();
  });
  const get = (path: string, authorization?: string, port = server.port) =>
    fetch(`http://127.0.0.1:${port}${path}`, authorization === undefined ? {} : { headers: { authorization } });
  return { server, get, lines, line: (message: string) => lines.find((one) => one["message"] === message) };
}

test("without a setting no metrics are served, and the log names the setting", async () => {
  const { get, line } = await started({});
  for (const authorization of [undefined, "Bearer rsk_sandbox_x", "Bearer "]) {
    const answer = await get("/metrics", authorization);
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain(counts);
  }
  expect(line("Metrics are not served. Set PROCEDO_METRICS_ADDRESS or PROCEDO_METRICS_TOKEN.")).toBeDefined();
});

test("with a token, metrics are served on the main address to that token only", async () => {
  const { get } = await started({ PROCEDO_METRICS_TOKEN: token });
  const right = await get("/metrics", `Bearer ${token}`);
  expect(right.status).toBe(200);
  expect(await right.text()).toContain(counts);
  const wrong = [undefined, "Bearer", `Bearer ${token}0`, `Bearer ${token.slice(1)}`, `Basic ${token}`, token];
  for (const authorization of [...wrong, `Bearer ${token.toUpperCase()}`]) {
    const answer = await get("/metrics", authorization);
    expect(answer.status, authorization ?? "none").toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    expect(await answer.text()).toBe("");
  }
  expect((await get("/metrics/x", `Bearer ${token}`)).status).toBe(404);
  expect((await get("/api/v1/runs", `Bearer ${token}`)).status).toBe(401);
});

test("a separate address serves metrics without a token, and nothing else", async () => {
  const { get, line } = await started({ PROCEDO_METRICS_ADDRESS: "127.0.0.1:0" });
  const port = Number(line("Metrics are served.")?.["port"]);
  const answer = await get("/metrics", undefined, port);
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain(counts);
  for (const path of ["/", "/healthz", "/api/v1/runs", "/metrics/x"]) {
    expect((await get(path, undefined, port)).status).toBe(404);
  }
  expect((await get("/metrics")).status).toBe(404);
});

test("an occupied address is rejected by the name of its setting, and no listener remains", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  onTestFinished(() => void taken.close());
  await expect(started({ PROCEDO_METRICS_ADDRESS: `127.0.0.1:${port}` })).rejects.toMatchObject({
    code: "invalid_configuration",
    message: expect.stringContaining("PROCEDO_METRICS_ADDRESS") as string,
  });
});
