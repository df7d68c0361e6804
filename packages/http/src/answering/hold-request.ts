import type { HeldPrincipal } from "@procedo/engine";
import { HeldRequest } from "../access/held-request.ts";
import type { KeyOperation, Operation } from "../operation.ts";
import type { HttpRequest } from "../request/http-request.ts";
import type { InTime } from "../request/in-time.ts";

/** Waits for the request's key or session. One that arrives after the request timed out is released. */
export async function holdRequest(
  authenticated: Promise<HeldPrincipal>,
  { method, onlyReads = method === "GET" }: Pick<Operation, "method"> & Pick<KeyOperation, "onlyReads">,
  request: HttpRequest,
  inTime: InTime,
): Promise<HeldRequest> {
  try {
    return new HeldRequest(await inTime.wait(authenticated), request, { onlyReads }, (error) => inTime.end(error));
  } catch (error) {
    void authenticated.then(
      (late) => late.release(),
      () => {},
    );
    throw error;
  }
}
