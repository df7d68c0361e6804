import type { JsonValue } from "@procedo/contract";
import type { InboundEvent, InboundMessage } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { probeContext } from "../../testing/probe-calls.ts";
import { startProbeService } from "../../testing/probe-service.ts";
import { probeIntegration } from "../../testing/index.ts";
import { onfidoProbe } from "./onfido.probe.ts";
import { onfido } from "./onfido.ts";

test("Onfido holds what integrations promise", async () => {
  expect(await probeIntegration(onfidoProbe)).toEqual([]);
});

describe("a connection to Onfido", () => {
  const { environmentOf, checkConnection, oauth } = onfido();

  test.each([
    ["api_live.abc", "live"],
    ["api_live_us.abc", "live"],
    ["api_sandbox.abc", "sandbox"],
    ["api_sandbox_ca.abc", "sandbox"],
    ["abc_api_live.", undefined],
    ["api_liveness.abc", undefined],
  ])("with the token %s is of the environment %s", (apiToken, environment) => {
    expect(environmentOf?.({}, { apiToken })).toBe(environment);
  });

  test("has an API token, or an OAuth client of its region", () => {
    const [settings, secrets] = [{ clientId: "app", region: "us" }, { clientSecret: "cl1ent-s3cret" }];
    const client = { clientId: "app", clientSecret: "cl1ent-s3cret", scopes: [], grant: "client_credentials" };
    const origins = ["https://api.us.onfido.com"];
    expect(checkConnection(settings, secrets)).toEqual([]);
    expect(oauth?.({ environment: "live", settings, secrets })).toEqual({
      ...{ ...client, origins, tokenUrl: "https://api.us.onfido.com/v3.6/oauth/token" },
    });
    expect(environmentOf?.(settings, secrets)).toBeUndefined();
    expect(
      oauth?.({ environment: "live", settings, secrets: { ...secrets, apiToken: "api_live.abc" } }),
    ).toBeUndefined();
    expect(checkConnection({}, {})).toMatchObject([{ path: "/secrets/apiToken" }]);
    expect(checkConnection(settings, {})).toMatchObject([{ path: "/secrets/clientSecret" }]);
    expect(checkConnection({}, secrets)).toMatchObject([{ path: "/settings/clientId" }]);
  });

  test("sends no credentials of its own with an OAuth client", async () => {
    const problems = await probeIntegration((origin) => {
      const { misplaced: _misplaced, ...probe } = onfidoProbe(origin);
      const { webhookToken = "" } = probe.connection.secrets ?? {};
      const secrets = { clientSecret: "cl1ent-s3cret", webhookToken };
      return { ...probe, connection: { ...probe.connection, settings: { clientId: "app" }, secrets } };
    });
    expect(problems).toEqual([]);
  });

  test("is of a region that Onfido has", () => {
    const secrets = { apiToken: "api_live.abc" };
    expect(checkConnection({ region: "ca" }, secrets)).toEqual([]);
    expect(checkConnection({}, secrets)).toEqual([]);
    expect(checkConnection({ region: "eu.evil.test/" }, secrets)).toMatchObject([{ path: "/settings/region" }]);
  });
});

test("a refusal of Onfido names each field at fault", async () => {
  const service = await startProbeService();
  const { integration, connection, calls } = onfidoProbe(service.origin);
  const fields = { first_name: ["can't be blank"], address: [{ postcode: ["is invalid"] }] };
  const error = { type: "validation_error", message: "There was a validation error on this request", fields };
  service.answer([{ status: 422, body: JSON.stringify({ error }) }]);
  const { args = {} } = [calls["create_applicant"] ?? []].flat()[0] ?? {};
  const made = integration.actions.get("create_applicant")?.call(args, probeContext(connection, "create_applicant"));
  await expect(made).rejects.toMatchObject({
    outcome: "refused",
    message:
      "Onfido refused the call: There was a validation error on this request " +
      `(first_name can't be blank; address {"postcode":["is invalid"]}).`,
  });
  await service.close();
});

describe("an event of Onfido", () => {
  const { inbound } = onfido();
  const hourMs = 60 * 60_000;
  const object = { id: "mon_1", status: "complete", completed_at_iso8601: "2026-11-27T09:00:00+01:00" };
  const read = (payload: JsonValue, nowMs = 0): readonly InboundEvent[] => {
    const message: InboundMessage = {
      ...{ header: () => [], body: new Uint8Array(), json: () => ({ payload }) },
      ...{ settings: {}, secrets: {}, environment: "live", nowMs },
    };
    const events = inbound?.parse(message) ?? [];
    return events === "other_environment" ? [] : events;
  };
  const event = { resource_type: "watchlist_monitor", action: "watchlist_monitor.matches_updated", object };

  test("is told from others by its object, its action and its time", () => {
    const [found] = read(event);
    const occurredAtMs = Date.parse("2026-11-27T08:00:00Z");
    expect(found).toMatchObject({ type: event.action, occurredAtMs, event });
    const later = { ...event, object: { ...object, completed_at_iso8601: "2026-11-28T09:00:00+01:00" } };
    const others = [later, { ...event, action: "check.completed" }, { ...event, object: { ...object, id: "mon_2" } }];
    expect(new Set([event, event, ...others].flatMap((one) => read(one).map(({ id }) => id))).size).toBe(4);
  });

  test("without a time is the same within the hour, and new after it", () => {
    const timeless = { ...event, object: { id: "mon_1", status: null, completed_at_iso8601: null } };
    const idAt = (ms: number) => read(timeless, ms)[0]?.id;
    expect(idAt(hourMs)).toBe(idAt(2 * hourMs - 1));
    expect(idAt(hourMs)).not.toBe(idAt(2 * hourMs));
    expect(read(timeless)[0]).toMatchObject({ occurredAtMs: undefined });
  });

  test("of a workflow task has the time of its resource", () => {
    const resource = { id: "task_1", updated_at: "2026-11-27T09:00:00Z" };
    const [found] = read({ ...event, object: { id: "run_1" }, resource });
    expect(found).toMatchObject({ occurredAtMs: Date.parse("2026-11-27T09:00:00Z") });
  });

  test.each([[null], [{}], [{ ...event, object: {} }], ["text"]])("in another form is refused: %j", (payload) => {
    expect(() => read(payload)).toThrow("not an event of Onfido");
  });
});
