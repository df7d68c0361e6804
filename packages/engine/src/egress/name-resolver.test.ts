/** Lookups with a real name server on this machine. */
import { lookup } from "node:dns/promises";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { timersByDelay } from "./listeners.fixture.ts";
import { createNameResolver, type NameResolverOptions } from "./name-resolver.ts";
import { nameServer, type NameAnswer, type NameServer } from "./name-server.fixture.ts";

const never = new AbortController().signal;

async function fileOf(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "names-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "file"), text);
  return join(folder, "file");
}

interface Names {
  readonly server: NameServer;
  resolve(name: string, stop?: AbortSignal): Promise<readonly string[]>;
}

async function names(
  answer: (name: string, type: "A" | "AAAA") => NameAnswer,
  options: Partial<NameResolverOptions> = {},
): Promise<Names> {
  const server = await nameServer(answer);
  const empty = await fileOf("");
  const resolve = createNameResolver({ servers: [server.address], hostsFile: empty, resolvConf: empty, ...options });
  return { server, resolve: (name, stop = never) => resolve(name, stop) };
}

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error: unknown) => (error as NodeJS.ErrnoException).code);

test("resolves a name to all its addresses of both families, IPv4 first", async () => {
  const { resolve } = await names(() => ["2001:db8::1", "192.0.2.7", "192.0.2.8"]);
  expect(await resolve("api.test")).toEqual(["192.0.2.7", "192.0.2.8", "2001:db8::1"]);
});

test.each([
  ["is absent", []],
  ["fails", "fails"],
] as const)("addresses of one family are enough when the other one %s", async (_name, other) => {
  const four = await names((_asked, type) => (type === "A" ? ["192.0.2.7"] : other));
  expect(await four.resolve("api.test")).toEqual(["192.0.2.7"]);
  const six = await names((_asked, type) => (type === "AAAA" ? ["2001:db8::1"] : other));
  expect(await six.resolve("api.test")).toEqual(["2001:db8::1"]);
});

test("waits at most a second for one family of addresses after the other was answered", async () => {
  const { clock, fire } = timersByDelay();
  const set = Promise.withResolvers<void>();
  const watched = { after: (...given: Parameters<typeof clock.after>) => (set.resolve(), clock.after(...given)) };
  const { resolve } = await names((_asked, type) => (type === "A" ? ["192.0.2.7"] : "silent"), { clock: watched });
  const resolving = resolve("api.test");
  await set.promise;
  fire(1_000);
  expect(await resolving).toEqual(["192.0.2.7"]);
});

test("an alias without an address of one family does not shorten the wait for the other one", async () => {
  const set: number[] = [];
  const clock = { after: (ms: number) => (set.push(ms), () => {}) };
  const { resolve } = await names((_asked, type) => (type === "A" ? "alias" : ["2001:db8::1"]), { clock });
  expect(await resolve("api.test")).toEqual(["2001:db8::1"]);
  // One timer: it starts with the address, not with the answer that has none.
  expect(set).toEqual([1_000]);
});

test("an alias that leads to no address, or to itself, is a name without an address", async () => {
  const { resolve } = await names(() => "alias");
  expect(await codeOf(resolve("api.test"))).toBe("ENODATA");
});

test("an error distinguishes an absent name from a failing name server", async () => {
  const { resolve } = await names((name) =>
    name === "gone.test" ? "no_such_name" : name === "bad.test" ? "fails" : [],
  );
  expect(await codeOf(resolve("gone.test"))).toBe("ENOTFOUND");
  expect(await codeOf(resolve("empty.test"))).toBe("ENODATA");
  expect(await codeOf(resolve("bad.test"))).toBe("ESERVFAIL");
});

test("a lookup ends when its last caller leaves", async () => {
  const { server, resolve } = await names(() => "silent");
  const stop = new AbortController();
  const resolving = codeOf(resolve("silent.test", stop.signal));
  await server.received("A silent.test");
  stop.abort();
  expect(await resolving).toBe("ECANCELLED");
  expect(await codeOf(resolve("silent.test", stop.signal))).toBe("ECANCELLED");
});

test("names in the hosts file need no name server, and a change of the file applies immediately", async () => {
  const hostsFile = await fileOf(
    "127.0.0.1 localhost # this machine\n192.0.2.1\tledger Ledger.Internal\n::7 ledger\nx y\n",
  );
  const { server, resolve } = await names(() => ["192.0.2.9"], { hostsFile });
  expect(await resolve("LEDGER")).toEqual(["192.0.2.1", "::7"]);
  expect(await resolve("ledger.internal.")).toEqual(["192.0.2.1"]);
  expect(server.questions).toEqual([]);
  expect(await resolve("y")).toEqual(["192.0.2.9"]);
  await rename(await fileOf("192.0.2.2 ledger"), hostsFile);
  expect(await resolve("ledger")).toEqual(["192.0.2.2"]);
});

test("looks a service name of Kubernetes up with the search list, in order, but not an absolute name", async () => {
  const resolvConf = await fileOf("search pay.svc.cluster.local svc.cluster.local\noptions timeout:1 ndots:5\n");
  const known: Readonly<Record<string, readonly string[]>> = {
    "ledger.pay.svc.cluster.local": ["10.0.0.1"],
    "mail.ops.svc.cluster.local": ["10.0.0.2"],
    "api.bank.test": ["192.0.2.7"],
  };
  const { server, resolve } = await names((name) => known[name] ?? "no_such_name", { resolvConf });
  expect(await resolve("ledger")).toEqual(["10.0.0.1"]);
  expect(await resolve("mail.ops")).toEqual(["10.0.0.2"]);
  expect(await resolve("api.bank.test")).toEqual(["192.0.2.7"]);
  expect(server.questions.filter((one) => one.startsWith("A "))).toEqual([
    "A ledger.pay.svc.cluster.local",
    "A mail.ops.pay.svc.cluster.local",
    "A mail.ops.svc.cluster.local",
    "A api.bank.test.pay.svc.cluster.local",
    "A api.bank.test.svc.cluster.local",
    "A api.bank.test",
  ]);
  expect(await codeOf(resolve("ledger."))).toBe("ENOTFOUND");
});

test("a failing search domain does not hide the name itself, and is reported when the name is absent", async () => {
  const resolvConf = await fileOf("domain gone.example\nsearch vpn.example\noptions ndots:2\n");
  const { resolve } = await names(
    (name) => (name === "api.test" ? ["192.0.2.7"] : name.endsWith("vpn.example") ? "fails" : "no_such_name"),
    { resolvConf },
  );
  expect(await resolve("api.test")).toEqual(["192.0.2.7"]);
  expect(await codeOf(resolve("other.test"))).toBe("ESERVFAIL");
});

test("a name with enough dots is looked up unchanged first", async () => {
  const resolvConf = await fileOf("nameserver 192.0.2.53\nsearch corp.example .\n");
  const { server, resolve } = await names((name) => (name === "a.b.corp.example" ? ["10.0.0.1"] : "no_such_name"), {
    resolvConf,
  });
  expect(await resolve("a.b")).toEqual(["10.0.0.1"]);
  expect(server.questions.filter((one) => one.startsWith("A "))).toEqual(["A a.b", "A a.b.corp.example"]);
});

test("uses the hosts file and name servers of this machine by default", async () => {
  const [{ address } = { address: "" }] = await lookup("localhost", { all: true, family: 4 });
  expect(await createNameResolver()("localhost", never)).toContain(address);
});
