import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemRuntime } from "../src/runtime.ts";
import { type ConnectProcess, modulePath, startConnect, startProgram } from "./connect-process.ts";
import type { FakeService } from "./fake-service.ts";
import { startService } from "./setup.ts";

const served = modulePath("served-functions.ts");

async function serving(more: readonly string[] = []): Promise<{ service: FakeService; client: ConnectProcess }> {
  const service = await startService({ runtime: systemRuntime });
  const client = startConnect([served, "--url", service.url, ...more], { PROCEDO_CONNECTION_TOKEN: service.token });
  await client.said("Connected.");
  return { service, client };
}

describe("procedo-connect", () => {
  test("prints its functions and its service, and each call with its result", async () => {
    const { service, client } = await serving();
    expect(await service.call("forgetful").settled).toEqual({ status: "ok", output: "still here" });
    await client.said(/forgetful inv_1 done after \d+ ms/);
    expect(client.output()).toMatch(/^procedo-private-connection\/\S+ \(node .*\) serves in sandbox:\n/);
    expect(client.output()).toContain("  slow       called at most once: Waits for a line.\n");
    expect(client.output()).toContain("  forgetful  may be repeated: Forgets promises that are rejected.\n");
    expect(client.output()).toContain("forgetful inv_1 started for run_1\n");
    expect(client.output()).not.toContain(service.token);
  });

  test("refuses a module with imports in a folder made by npm init, with the remedy", async () => {
    const folder = await mkdtemp(join(tmpdir(), "procedo-connect-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "package.json"), '{ "type": "commonjs" }');
    await writeFile(join(folder, "functions.ts"), 'import "node:fs";\nexport const some: number = 1;\n');
    const client = startConnect([join(folder, "functions.ts")]);
    expect(await client.exited).toBe(2);
    expect(client.output()).toContain('Set "type": "module" there, or rename the file to end in .mts or .mjs.');
    expect(client.output()).not.toContain("    at ");
  });

  test("logs rejections that a handler does not await, and continues", async () => {
    const { service, client } = await serving();
    for (let n = 0; n < 2; n++) expect(await service.call("forgetful").settled).toMatchObject({ status: "ok" });
    for (const forgotten of ["at once", "a little later", "in a callback"]) await client.said(`forgotten ${forgotten}`);
    expect(client.child.exitCode).toBeNull();
  });

  test.each(["SIGTERM", "SIGINT"] as const)("%s lets running calls finish, and ends it with 0", async (signal) => {
    const { service, client } = await serving();
    const call = service.call("slow");
    await client.said("slow inv_1 started");
    client.child.kill(signal);
    await client.said(`${signal}: no new calls are accepted; running calls have 60 s.`);
    const late = service.call("forgetful");
    client.child.stdin.write("go on\n");
    expect(await call.settled).toEqual({ status: "ok", output: "done" });
    expect(await client.exited).toBe(0);
    expect(late.state).toBeUndefined();
  });

  test("names calls that are not finished within --drain, and ends with 1", async () => {
    const { service, client } = await serving(["--drain", "0.05"]);
    service.call("slow");
    await client.said("slow inv_1 started");
    client.child.kill("SIGTERM");
    expect(await client.exited).toBe(1);
    expect(client.output()).toContain("Closed before all calls were finished. (unfinished inv_1)");
  });

  test("ends at once after a second signal", async () => {
    const { service, client } = await serving();
    service.call("slow");
    await client.said("slow inv_1 started");
    client.child.kill("SIGTERM");
    await client.said("SIGTERM: ");
    client.child.kill("SIGTERM");
    expect(await client.exited).toBe(1);
  });

  test("ends with 1 and one clear line for a refused token", async () => {
    const service = await startService({ runtime: systemRuntime });
    const client = startConnect([served, "--url", service.url], {
      PROCEDO_CONNECTION_TOKEN: "run_live_c3VyZWx5LXdyb25n",
    });
    expect(await client.exited).toBe(1);
    expect(client.output().match(/^Error: .*$/gm)).toEqual([
      expect.stringContaining("The service rejected the token because it is wrong or was regenerated."),
    ]);
    expect(client.output()).not.toContain("c3VyZWx5LXdyb25n");
  });

  test("lets a refused token also end a program that does not handle it, with a message", async () => {
    const service = await startService({ runtime: systemRuntime });
    const variables = { PROCEDO_SDK_URL: service.url, PROCEDO_CONNECTION_TOKEN: "run_live_c3VyZWx5LXdyb25n" };
    const program = startProgram([modulePath("own-program.ts")], variables);
    expect(await program.exited).toBe(1);
    expect(program.output()).toContain("The service rejected the token");
  });

  test("ends a waiting client when its token is regenerated", async () => {
    const { service, client } = await serving();
    await service.regenerateToken();
    expect(await client.exited).toBe(1);
  });

  test("stays alive while the service is down, and works when it comes up", async () => {
    const down = await startService({ runtime: systemRuntime });
    const port = Number(new URL(down.url).port);
    await down[Symbol.asyncDispose]();
    const client = startConnect([served], { PROCEDO_SDK_URL: down.url, PROCEDO_CONNECTION_TOKEN: down.token });
    await client.said("Retrying. (attempt 2");
    const service = await startService({ runtime: systemRuntime, port });
    await client.said("Connected.");
    expect(await service.call("forgetful").settled).toMatchObject({ status: "ok" });
  });

  test("ends after an error of the program outside of handlers, as Node does", async () => {
    const { client } = await serving();
    client.child.kill("SIGUSR2");
    expect(await client.exited).toBe(1);
    expect(client.output()).toContain("of the program");
  });

  test("leaves an idempotent call that was killed halfway to the next client", async () => {
    const { service, client } = await serving();
    service.calls.add("slow", {}, true);
    await client.said("slow inv_1 started");
    client.child.kill("SIGKILL");
    expect(await client.exited).toBe("SIGKILL");
    service.calls.expire("inv_1");
    const next = startConnect([served, "--url", service.url], { PROCEDO_CONNECTION_TOKEN: service.token });
    await next.said("slow inv_1 started");
    next.child.stdin.write("go on\n");
    await next.said(/slow inv_1 done/);
    expect(service.calls.all.get("inv_1")).toMatchObject({ accepted: 1, state: { status: "ok", output: "done" } });
  });

  test("leaves a non-idempotent call that was killed halfway to a person", async () => {
    const { service, client } = await serving();
    const call = service.call("slow");
    await client.said("slow inv_1 started");
    client.child.kill("SIGKILL");
    await client.exited;
    service.calls.expire("inv_1");
    expect(await call.settled).toEqual({ status: "unknown" });
    expect(service.calls.all.get("inv_1")?.leases).toHaveLength(1);
  });
});
