import { describe, expect, test } from "vitest";
import { answering, http, listen } from "../src/egress/listeners.fixture.ts";
import { alice } from "./harness.ts";
import { createWebhookHarness, hasEnded, receive, wasTried } from "./webhook-harness.ts";

const refused = { code: "destination_not_allowed" };

/** A name that first resolves to a public address and then to the one that the test sets. */
function rebinding() {
  let addresses: readonly string[] = ["93.184.216.34"];
  return {
    resolve: async () => addresses,
    leadTo: (...to: readonly string[]) => {
      addresses = to;
    },
  };
}

describe("a forbidden address", () => {
  const addresses = [
    "http://127.0.0.1/x",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://127.1/",
    "http://localhost/",
    "http://a.localhost/",
    "http://[::1]/x",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:a9fe:a9fe]/",
    "http://[fd00:ec2::254]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[2002:7f00:1::]/",
    "http://169.254.169.254/latest",
    "http://10.0.0.1/",
    "http://172.16.0.1/",
    "http://192.168.1.1/",
    "http://100.64.0.1/",
    "http://0.0.0.0/",
    "http://255.255.255.255/",
    "http://user:secret@93.184.216.34/",
    "http://93.184.216.34:25/",
    "http://93.184.216.34:6379/",
    "file:///etc/passwd",
    "ftp://93.184.216.34/",
    "gopher://93.184.216.34/",
    "http://93.184.216.34/\r\nx-a: b",
    "https:\\\\127.0.0.1",
    "http://93.184.216.34/x\ud800",
  ];

  test.each(addresses)("is refused when a webhook is created or changed: %j", async (url) => {
    const harness = await createWebhookHarness({ egress: {} });
    const webhook = await harness.subscribe("https://93.184.216.34/");
    await expect(harness.subscribe(url)).rejects.toMatchObject(refused);
    await expect(harness.engine.webhooks.update({ ...webhook, url, by: alice })).rejects.toMatchObject(refused);
    expect((await harness.engine.webhooks.get(webhook)).url).toBe("https://93.184.216.34/");
  });

  test("in a private network is refused with a message for the webhook's owner that reveals nothing else", async () => {
    const harness = await createWebhookHarness({ egress: {} });
    const message =
      '"10.0.0.1" is not allowed: it leads to a private or reserved network. The operator can add this network to ' +
      "allowNetworks (PROCEDO_ALLOW_NETWORKS of the server).";
    await expect(harness.subscribe("http://10.0.0.1/")).rejects.toMatchObject({ ...refused, message });
  });

  test.each([
    ["a loopback address", ["127.0.0.1"]],
    ["a public and a loopback address", ["93.184.216.34", "127.0.0.1"]],
    ["the metadata service", ["169.254.169.254"]],
    ["a mapped loopback address", ["::ffff:127.0.0.1"]],
  ])("is not connected to if the name resolves to %s at the time of the delivery", async (_what, to) => {
    const name = rebinding();
    const harness = await createWebhookHarness({ egress: { resolve: name.resolve } });
    const inside = await listen(answering(http("200 OK", [])));
    const webhook = await harness.subscribe(`http://hook.procedo.test:${inside.port}/`);
    name.leadTo(...to);
    await harness.emitEvent();
    const delivery = await harness.deliveryThat(webhook, wasTried);
    expect(delivery).toMatchObject({ status: "pending", responseCode: undefined, attemptCount: 1 });
    expect(delivery.error).toMatch(/^"hook.procedo.test" is not allowed: it leads to a private or reserved network/);
    expect(delivery.error).not.toContain("169.254");
    await harness.engine.webhooks.test({ ...webhook, by: alice });
    await harness.until(async () => (await harness.deliveries(webhook)).every(wasTried));
    expect(inside.arrivals).toEqual([]);
  });

  test("is reached if the operator allows its network, and so are public names", async () => {
    const name = rebinding();
    const harness = await createWebhookHarness({
      egress: { allowNetworks: ["127.0.0.1/32"], resolve: name.resolve },
    });
    const receiver = await receive();
    const webhook = await harness.subscribe(`http://hook.procedo.test:${new URL(receiver.url).port}/`);
    name.leadTo("127.0.0.1");
    await harness.emitEvent();
    expect(await harness.deliveryThat(webhook, hasEnded)).toMatchObject({ status: "delivered" });
  });
});

describe("an event of one environment", () => {
  test("never reaches a webhook of the other: 0 of 10,000", async () => {
    const harness = await createWebhookHarness();
    const receivers = { sandbox: await receive(), live: await receive() };
    const webhooks = {
      sandbox: await harness.subscribe(receivers.sandbox.url, { environment: "sandbox" }),
      live: await harness.subscribe(receivers.live.url, { environment: "live" }),
    };
    const count = 5_000;
    for (let reported = 0; reported < count; reported++) {
      await Promise.all([harness.emitEvent("sandbox"), harness.emitEvent("live")]);
    }
    for (const environment of ["sandbox", "live"] as const) {
      const { requests } = receivers[environment];
      await harness.until(() => requests.length === count);
      const reported = requests.map(({ body }) => JSON.parse(body.toString()) as { data: { environment: string } });
      expect(reported.filter(({ data }) => data.environment !== environment)).toEqual([]);
      expect(new Set(requests.map(({ id }) => id)).size).toBe(count);
      const other = environment === "live" ? "sandbox" : "live";
      await expect(
        harness.engine.webhooks.test({ ...webhooks[environment], environment: other, by: alice }),
      ).rejects.toMatchObject({ code: "webhook_not_found" });
    }
  });
});

test("credentials in a webhook's address are refused in words that fit an address of any kind", async () => {
  const harness = await createWebhookHarness();
  const refusal = harness.subscribe("https://user:secret@example.com/hook");
  await expect(refusal).rejects.toMatchObject({
    code: "destination_not_allowed",
    message: "The URL carries credentials (user:password@), which an address cannot have. Remove them.",
  });
});
