import { serverCertificate } from "@procedo-testing/certificates";
import { systemRuntime } from "../src/runtime.ts";
import { startFakeService } from "./fake-service.ts";
import { testPair } from "./service-suite.ts";

testPair("a service on this machine", () => startFakeService({ runtime: systemRuntime }));
testPair("a service over TLS", () => startFakeService({ runtime: systemRuntime, tls: serverCertificate }));
testPair("a live service below a path", () =>
  startFakeService({ runtime: systemRuntime, environment: "live", prefix: "/tenants/acme" }),
);
