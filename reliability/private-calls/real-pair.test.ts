import { serverCertificate } from "@procedo-testing/certificates";
import { startRealService } from "./real-service.ts";
import { testPair } from "../../packages/private-connection/test/service-suite.ts";

testPair("the service itself, over TLS", () => startRealService({ tls: serverCertificate }));
testPair("the service itself, live and below a path", () =>
  startRealService({ environment: "live", prefix: "/tenants/acme" }),
);
