import type { Engine } from "@procedo/engine";
import { createGuestLimiter } from "../access/guest-limiter.ts";
import type { PageOperation, Reply } from "../operation.ts";
import type { HttpRequest } from "../request/http-request.ts";
import type { InTime } from "../request/in-time.ts";

/** Performs an operation for a person's browser. */
export type PerformPageOperation = (
  operation: PageOperation,
  params: Readonly<Record<string, string>>,
  request: HttpRequest,
  inTime: InTime,
) => Promise<Reply>;

export function createPageOperations({
  engine,
  appUrl,
}: {
  readonly engine: Engine;
  readonly appUrl: string;
}): PerformPageOperation {
  const limiter = createGuestLimiter();
  return async (operation, params, request, inTime) => {
    const leave = limiter.take(request.address);
    const handling = operation.handle({
      engine,
      params,
      query: new URLSearchParams(request.query),
      header: (name) => request.header(name),
      appUrl,
      outside: (isOutside) => inTime.outside(isOutside),
    });
    // The handler is in progress until it ends, even after the browser was answered.
    void handling.then(leave, leave);
    return await inTime.wait(handling);
  };
}
