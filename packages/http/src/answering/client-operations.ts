import { authenticateClient } from "../access/authenticate.ts";
import type { ClientOperation, Reply } from "../operation.ts";
import type { HttpRequest } from "../request/http-request.ts";
import type { InTime } from "../request/in-time.ts";
import { queryParameters, readQuery } from "../request/read-query.ts";
import type { Caller } from "./caller.ts";
import type { OperationPorts } from "./operation-ports.ts";

/**
 * Performs an operation for a client of a private connection, authenticated by its token.
 *
 * @returns `undefined` when the caller disconnected
 */
export async function performClientOperation(
  { engine, access, countRequest, withBody }: OperationPorts,
  operation: ClientOperation,
  request: HttpRequest,
  inTime: InTime,
  caller: Caller,
): Promise<Reply | undefined> {
  const { connectionId, environment } = await inTime.wait(authenticateClient(access, request));
  const key = `${connectionId} ${environment}`;
  countRequest(key);
  const owner = (caller.owner = { key, environment });
  const query = readQuery(operation.query, queryParameters(request.query));
  return await withBody(operation.body, { owner }, request, inTime, async (body) =>
    operation.handle({
      engine,
      // Checked again, because the token may have been revoked while the body arrived.
      client: await authenticateClient(access, request),
      query,
      body,
      header: (name) => request.header(name),
      pollSignal: () => {
        caller.waits();
        return request.pollSignal();
      },
      extend: (ms) => inTime.extend(ms),
    }),
  );
}
