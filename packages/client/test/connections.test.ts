import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FakeService, startFakeService } from "./fake-service.ts";
import { clientOf } from "./fixtures.ts";

let service: FakeService;
beforeEach(async () => {
  service = await startFakeService();
});
afterEach(() => service[Symbol.asyncDispose]());

const sent = () => service.received.map(({ method, path, body }) => [method, path, body]);

describe("connections", () => {
  test("authorize answers the page for the person's browser", async () => {
    const started = { url: "https://procedo.test/oauth/start/oat_1", expiresAt: "2026-11-27T12:00:00.000Z" };
    service.faults.push({ status: 200, body: started }, { status: 200, body: started });
    const { connections } = clientOf(service);
    expect(await connections.authorize("con_1")).toEqual(started);
    await connections.authorize("con_1", { returnTo: "/dashboard", replace: true });
    expect(sent()).toEqual([
      ["POST", "/api/v1/connections/con_1/oauth/start", {}],
      ["POST", "/api/v1/connections/con_1/oauth/start", { returnTo: "/dashboard", replace: true }],
    ]);
  });

  test("refreshAuthorization answers the authorization as it is now", async () => {
    const oauth = {
      grant: "authorization_code",
      status: "connected",
      account: { id: "org-1", name: "Harbour Bakery" },
      scopesAsked: ["accounting"],
      scopesGranted: ["accounting"],
      connectedAt: "2026-11-27T12:00:00.000Z",
      connectedBy: "mara",
    };
    service.faults.push({ status: 200, body: oauth });
    expect(await clientOf(service).connections.refreshAuthorization("con_1")).toEqual(oauth);
    expect(sent()).toEqual([["POST", "/api/v1/connections/con_1/oauth/refresh", undefined]]);
  });

  test("removeAuthorization is repeated after a lost answer", async () => {
    service.faults.push("answer lost", { status: 200, body: { success: true } });
    await clientOf(service).connections.removeAuthorization("con_1");
    expect(sent()).toEqual(Array.from({ length: 2 }, () => ["DELETE", "/api/v1/connections/con_1/oauth", undefined]));
  });

  test("an error of the service keeps its code", async () => {
    service.failWith = "not_oauth";
    const { connections } = clientOf(service);
    await expect(connections.authorize("con_1")).rejects.toMatchObject({ code: "not_oauth" });
    await expect(connections.removeAuthorization("..")).rejects.toMatchObject({ code: "malformed_request" });
  });
});
