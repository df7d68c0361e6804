import { authenticate } from "../access/authenticate.ts";
import type { PrincipalOperation } from "../operation.ts";
import type { Service } from "../operation-calls.ts";
import type { HttpRequest } from "../request/http-request.ts";
import type { InTime } from "../request/in-time.ts";
import { queryParameters, readQuery } from "../request/read-query.ts";
import type { Caller } from "./caller.ts";
import { holdRequest } from "./hold-request.ts";
import type { OperationPorts } from "./operation-ports.ts";
import type { SessionReply } from "./session-operations.ts";

/** Performs an operation for the key or the application's principal of a request. */
export async function performPrincipalOperation(
  { access, countRequest, service }: OperationPorts & { readonly service: Pick<Service, "about"> },
  operation: PrincipalOperation,
  request: HttpRequest,
  inTime: InTime,
  caller: Caller,
): Promise<SessionReply> {
  const held = await holdRequest(authenticate(access, request), operation, request, inTime);
  try {
    const principal = held.principalIn(held.environment);
    const key = held.countedAs(principal);
    countRequest(key);
    caller.owner = { key, environment: held.environment };
    const query = readQuery(operation.query, queryParameters(request.query));
    const reply = await inTime.wait(operation.handle({ principal, about: service.about, query }));
    held.checkAnswer();
    return { ...reply, held };
  } catch (error) {
    held.release();
    throw error;
  }
}
