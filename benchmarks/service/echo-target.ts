import type { Target } from "./subject.ts";

export function echoTarget(port: number): Target {
  return { port, paths: ["/"], headers: {}, signed: false, answer: { status: 200, holds: '"vendorId":"vendor-' } };
}
