import { ProcedoError } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { createDestinationPolicy } from "./destination.ts";

const closed = createDestinationPolicy({ allowNetworks: [] });

function codeOf(action: () => unknown): string {
  try {
    action();
    return "allowed";
  } catch (error) {
    return ProcedoError.isError(error) ? error.code : "something else";
  }
}

describe("URLs that lead to a private or reserved address", () => {
  test.each([
    "http://127.0.0.1/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0x7f.1/",
    "http://0177.0.0.1/",
    "http://017700000001/",
    "http://0/",
    "http://0.0.0.0/",
    "http://①②⑦.⓪.⓪.①/",
    "http://127。0。0。1/",
    "http://127.0.0.1./",
    "http://%31%32%37.0.0.1/",
    "http://localhost/",
    "http://LOCALHOST/",
    "http://localhost./",
    "http://ⓛocalhost/",
    "http://api.localhost/",
    "http://a.b.localhost./",
    "http://192.168.1.1/",
    "http://10.0.0.1:8080/",
    "http://169.254.169.254/latest/meta-data/",
    "https://100.100.100.200/",
    "http://[::]/",
    "http://[::1]/",
    "http://[0:0:0:0:0:0:0:1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:a9fe:a9fe]/",
    "http://[::127.0.0.1]/",
    "http://[fe80::1]/",
    "http://[fd00:ec2::254]/",
    "http://[ff02::1]/",
    "http://[2001:db8::1]/",
    "http://[3fff::1]/",
    "http://[100::1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[64:ff9b:1::1]/",
    "http://[2002:7f00:1::]/",
    "http://[2001:0:7f00:1::]/",
    "http://[5f00::1]/",
  ])("%s is refused as private, with the name of the setting in the message", (url) => {
    expect(() => closed.checkUrl(url)).toThrow(
      expect.objectContaining({
        code: "destination_not_allowed",
        sent: "no",
        isPrivateNetwork: true,
        message: expect.stringContaining("PROCEDO_ALLOW_NETWORKS"),
      }),
    );
  });
});

describe("URLs that are refused for their form", () => {
  test.each([
    ["", "no URL"],
    ["http://example.com/x\ud800", "half of a surrogate pair"],
    ["example.com/path", "relative"],
    ["//example.com/", "without scheme"],
    ["http:127.0.0.1", "scheme without slashes"],
    ["http:example.com", "scheme without slashes"],
    ["https:\\\\127.0.0.1", "backslashes"],
    ["https://example.com\\@127.0.0.1/", "backslash"],
    ["http://a@127.0.0.1/", "user"],
    ["https://user@example.com/", "user"],
    ["https://user:secret@example.com/", "password"],
    ["https://:secret@example.com/", "password alone"],
    ["file:///etc/passwd", "file"],
    ["ftp://example.com/", "ftp"],
    ["gopher://example.com/_x", "gopher"],
    ["data:text/plain,x", "data"],
    ["unix:///var/run/docker.sock", "unix"],
    ["http+unix://%2Fvar%2Frun/x", "http+unix"],
    ["javascript:alert(1)", "javascript"],
    ["ws://example.com/", "ws"],
    ["blob:https://example.com/x", "blob"],
    ["https://example.com/a\r\nHost: evil", "CRLF"],
    ["https://exa\tmple.com/", "tab"],
    ["https://example.com/a b", "space"],
    [" https://example.com/", "leading space"],
    ["https://example.com/\u0000", "NUL"],
    ["https://example.com/\u007f", "DEL"],
    ["http://[fe80::1%25eth0]/", "zone id"],
    ["http://[fe80::1%eth0]/", "zone id"],
    ["http://999.1.1.1/", "not an IPv4"],
    ["http://exa mple.com/", "space in host"],
    ["http://example.com:99999/", "port out of range"],
    ["http://example.com:0/", "port 0"],
    ["http://example.com:22/", "SSH"],
    ["http://example.com:25/", "SMTP"],
    ["https://example.com:5432/", "PostgreSQL"],
    ["http://example.com:6379/", "Redis"],
    ["http://example.com:3306/", "MySQL"],
    ["http://example.com:2375/", "Docker"],
    ["http://example.com:11211/", "memcached"],
    ["http://example.com:27017/", "MongoDB"],
    ["http://example.com:6667/", "IRC"],
  ])("%j (%s)", (url) => {
    expect(codeOf(() => closed.checkUrl(url))).toBe("destination_not_allowed");
  });

  test("a refusal contains neither the path nor the query nor the credentials", () => {
    for (const url of [
      "https://user:hunter2@example.com/",
      "http://10.0.0.1/p?key=hunter2",
      "http://h:22/?k=hunter2",
    ]) {
      expect(() => closed.checkUrl(url)).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining("hunter2") }),
      );
    }
  });
});

describe("URLs that are allowed", () => {
  test.each([
    "https://example.com",
    "HTTPS://EXAMPLE.COM/",
    "http://example.com:8080/a/b?c=d#e",
    "https://8.8.8.8/",
    "https://[2606:4700:4700::1111]:8443/",
    "https://xn--bcher-kva.example/",
    "https://localhost.example.com/",
    "https://notlocalhost/",
    "https://127.0.0.1.example.com/",
  ])("%s", (url) => {
    expect(closed.checkUrl(url).href).toBe(new URL(url).href);
  });
});

describe("networks that the operator allows", () => {
  const open = createDestinationPolicy({ allowNetworks: ["127.0.0.0/8", "10.1.0.0/16", "fd00:1::/32"] });

  test.each([
    ["http://127.0.0.1:3000/", true],
    ["http://localhost:3000/", true],
    ["http://api.localhost:3000/", true],
    ["http://[::ffff:127.0.0.1]/", true],
    ["http://[::1]/", false],
    ["http://10.1.2.3/", true],
    ["http://10.2.0.1/", false],
    ["http://[fd00:1::5]/", true],
    ["http://[fd00:2::5]/", false],
    ["http://[::127.0.0.1]/", false],
    ["http://[64:ff9b::7f00:1]/", false],
    ["http://127.0.0.1:6379/", false],
    ["http://169.254.169.254/", false],
    ["https://example.com/", true],
  ])("%s: %s", (url, allowed) => {
    expect(codeOf(() => open.checkUrl(url))).toBe(allowed ? "allowed" : "destination_not_allowed");
  });

  test("localhost resolves to the allowed loopback addresses only", () => {
    expect(open.addressesWithoutDns("localhost")).toEqual(["127.0.0.1"]);
    expect(createDestinationPolicy({ allowNetworks: ["::1"] }).addressesWithoutDns("localhost")).toEqual(["::1"]);
    expect(closed.addressesWithoutDns("localhost")).toEqual([]);
  });

  test.each(["10.0.0.0/33", "10.0.0.5/8", "localhost", "", "*"])("rejects %j as a network at start", (text) => {
    expect(codeOf(() => createDestinationPolicy({ allowNetworks: [text] }))).toBe("invalid_configuration");
  });
});
